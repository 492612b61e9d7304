# The codes of the catalog in English. Each has what it is called, why it is given (.why) and how to mend it (.fix).
# Rules: the contract for role packages v0.4 and its numbered rules. Glossary: see ../en.ftl.

## Archive

ROLE_PACKAGE_ARCHIVE_INVALID = The file is not one whole zip
    .why = A package is one plain zip: it begins with its first entry, ends with its end record, and holds nothing in between that the entries do not account for. This file is damaged, incomplete, split, or has other data before, inside or after it.
    .fix = Pack the role directory again with an ordinary zip tool and upload the new file as it is.
ROLE_PACKAGE_LIMIT_EXCEEDED = The package is larger than packages may be
    .why = Packages have limits on the size of the zip, the number of entries, the unpacked size, a single file and the compression ratio, so that opening one is safe everywhere.
    .fix = Leave out what the role does not need, shrink large files, and pack again. The message names the limit that was met.
ROLE_IMPORT_ZIP_TOP_LEVEL_INVALID = The zip does not hold exactly one directory
    .why = Everything in a package lies in one top-level directory that is named like the role. There is something beside it, or there is no such directory.
    .fix = Zip the role directory itself rather than what is in it, and remove extra folders such as __MACOSX.
ROLE_IMPORT_ZIP_ENTRY_INVALID = An entry of the zip cannot be accepted
    .why = Entries are regular files and directories, stored or deflated, not encrypted, with portable names that occur once, and none of .DS_Store, .git, node_modules, .env or files beginning with ._ is among them. A link, a device, an odd name or a contradiction between the headers was found.
    .fix = Remove or rename the entry that the message names, and pack again.
ROLE_PACKAGE_PATH_OUTSIDE_ROOT = A path leaves the package
    .why = Every path in a package and in its manifest is relative to the package root and stays inside it. This one is absolute, climbs out with .., or is a URL.
    .fix = Put the file into the package and write its path relative to the package root, such as assets/cover.png.
ROLE_PACKAGE_SKILLS_NOT_MARKDOWN = The skills folder holds something other than Markdown
    .why = Files below skills/ are instructions and end in .md. Programs, templates and pictures have their own places.
    .fix = Move the file to contents/, assets/ or agapps/.

## Manifest

ROLE_PACKAGE_MANIFEST_MISSING = The package has no manifest
    .why = To be published, a package has a file agotalk.role.toml at its root. Without one it can only be imported into the app by hand.
    .fix = Add agotalk.role.toml beside role.md, with that exact name.
ROLE_CONTRACT_MISSING = The package has no manifest
    .why = The Agotalk app gives this code at import when agotalk.role.toml is not at the root of the package. When publishing, the same fault is ROLE_PACKAGE_MANIFEST_MISSING.
    .fix = Add agotalk.role.toml beside role.md, with that exact name.
ROLE_CONTRACT_INVALID = The manifest cannot be read
    .why = agotalk.role.toml is not UTF-8 text in TOML 1.0, for example because of a missing quotation mark or a key that stands twice.
    .fix = Correct the line that the message points to.
ROLE_CONTRACT_FIELD_MISSING = A required field is missing
    .why = The manifest lacks a field or table that every package of its kind has.
    .fix = Add the field that the message names, in the table that it names.
ROLE_CONTRACT_FIELD_INVALID = A field has a value that is not allowed
    .why = The field is there, but its value has the wrong type or form: a number where a text belongs, white space at an end, a license other than "free", a version that is not SemVer.
    .fix = Write the value as the message shows it.
ROLE_PACKAGE_ID_MISMATCH = Directory, manifest and address name different roles
    .why = The top-level directory, the id in the manifest and the address of the upload are the same role id.
    .fix = Use one id in all three places.
ROLE_ID_DIR_MISMATCH = The directory and the manifest name different roles
    .why = The Agotalk app gives this code at import when the top-level directory is not named like the id in the manifest. When publishing, the same fault is ROLE_PACKAGE_ID_MISMATCH.
    .fix = Rename the directory or change the id, so that they are equal.
ROLE_PACKAGE_KIND_INVALID = The kind is neither role nor application
    .why = kind says what a package is: "role" for one that talks, "application" for one that opens a page.
    .fix = Write kind = "role" or kind = "application".
ROLE_STATE_REMEMBERS_PROGRESS_INVALID = The manifest does not say whether progress is kept
    .why = The table [state] has a field remembers_progress that is true or false, without quotation marks.
    .fix = Write remembers_progress = true or remembers_progress = false below [state].
ROLE_ENVIRONMENT_INVALID = The environment table is not as it must be
    .why = The table [environment] has manager = "agotalk" and a dependency_mode that is "none" or "locked". At the top level of the manifest these fields count for nothing.
    .fix = Write both fields below [environment].
ROLE_PUBLISH_MIN_APP_VERSION_MISSING = No minimum app version is given
    .why = The catalog must know which versions of Agotalk can run a role, and never guesses.
    .fix = Write min_app_version = "0.1.57" with your version in the manifest, or give it explicitly with the upload.

## Entry

ROLE_PACKAGE_ENTRY_FORBIDDEN = A role that talks has an entry
    .why = With kind = "role" the behavior is role.md alone; there is no [entry] table, not even an empty one.
    .fix = Remove [entry], or write kind = "application" if the package opens a page.
ROLE_PACKAGE_ENTRY_REQUIRED = An application has no entry
    .why = With kind = "application" the table [entry] says which page is opened.
    .fix = Add [entry] with kind = "static_browser", a target and an address_bar.
ROLE_ENTRY_KIND_UNSUPPORTED = The kind of entry is not known
    .why = There is one kind of entry, static_browser: a page of the package that Agotalk opens in its browser view.
    .fix = Write kind = "static_browser" below [entry].
ROLE_ENTRY_ADDRESS_BAR_INVALID = The address bar is neither visible nor hidden
    .why = address_bar says whether the browser view shows its address bar.
    .fix = Write address_bar = "visible" or address_bar = "hidden" below [entry].
ROLE_ENTRY_TARGET_OUTSIDE_PACKAGE = The entry's page is outside the package
    .why = The Agotalk app gives this code at import when the target leaves the package. When publishing, the same fault is ROLE_PACKAGE_PATH_OUTSIDE_ROOT.
    .fix = Put the page into the package and write its path relative to the package root.
ROLE_ENTRY_TARGET_NOT_FOUND = The entry's page is not in the package
    .why = The target names a file that is not there, or that is spelt with other capital letters.
    .fix = Write the path exactly as it is in the package, or add the file.
ROLE_ENTRY_TARGET_NOT_FILE = The entry's page is not a file
    .why = The target names a directory.
    .fix = Write the path of the HTML file, such as agapps/word-pop-game/index.html.

## Preview and avatar

ROLE_PREVIEW_INVALID = The preview cannot be used
    .why = [preview] is a table with intro_html, cover_image and screenshots; a cover and up to three screenshots are pictures that can be decoded within limits. SVG is not among them.
    .fix = Correct the field or replace the picture that the message names. PNG with 1280 × 720 pixels is best.
ROLE_PREVIEW_OUTSIDE_PACKAGE = A preview file is outside the package
    .why = The Agotalk app gives this code at import when a path below [preview] leaves the package. When publishing, the same fault is ROLE_PACKAGE_PATH_OUTSIDE_ROOT.
    .fix = Put the file into the package and write its path relative to the package root.
ROLE_PREVIEW_NOT_FOUND = A preview file is not in the package
    .why = A path below [preview] names a file that is not there, or that is spelt with other capital letters.
    .fix = Write the path exactly as it is in the package, or add the file.
ROLE_PREVIEW_NOT_FILE = A preview path is not a file
    .why = A path below [preview] names a directory.
    .fix = Write the path of the file itself.
ROLE_PACKAGE_AVATAR_INVALID = The avatar cannot be used
    .why = avatar.png, when a package has one, is a regular file with a picture that can be decoded within limits.
    .fix = Replace it with a PNG of 512 × 512 pixels, or leave it out.

## role.md

ROLE_BEHAVIOR_FILE_MISSING = The role has no role.md
    .why = role.md at the root of the package is the behavior of a role. It is missing, empty or not a regular file.
    .fix = Add role.md beside the manifest and describe in it what the role does.
ROLE_IMPORT_ROLE_MD_MISSING = The package has no role.md
    .why = Every package has a role.md at its root, applications too. It is missing, empty or not a regular file.
    .fix = Add role.md beside the manifest.
ROLE_PACKAGE_LEGACY_AVATAR_FIELD = role.md names an avatar
    .why = The front matter key avatar is retired.
    .fix = Remove the line and put the picture at the root of the package as avatar.png.
ROLE_PACKAGE_ROLE_MD_INVALID = role.md cannot be read
    .why = role.md is UTF-8 text; a front matter block that is opened with --- is closed with --- and stays within limits.
    .fix = Save the file as UTF-8 and close the front matter.

## Locked packages

ROLE_PACKAGE_LOCKFILE_MISSING = A locked package has no lock
    .why = With dependency_mode = "locked", pyproject.toml and uv.lock lie at the root of the package. One of them is missing.
    .fix = Run uv lock in the package and add both files, or write dependency_mode = "none".
ROLE_PACKAGE_LOCKFILE_UNSUPPORTED = The lock is of a kind that is not supported
    .why = Only uv.lock is supported. Another tool's lock was found instead.
    .fix = Describe the dependencies in pyproject.toml and run uv lock.
ROLE_PACKAGE_LOCKFILE_MALFORMED = uv.lock is not what uv writes
    .why = The file cannot be read as a lock: a version, a package or a source is missing or has another form. This happens when a lock is written by hand.
    .fix = Delete uv.lock and run uv lock again.
ROLE_PACKAGE_PYPROJECT_INVALID = pyproject.toml cannot be used
    .why = pyproject.toml is TOML with a [project] table that has a name.
    .fix = Correct the file and run uv lock again.
ROLE_PACKAGE_LOCKFILE_HASH_INVALID = An artifact in the lock has no valid digest
    .why = Every archive that the lock names has a sha256 digest, so that each computer installs the same bytes. A digest is missing, malformed, or does not match the file in the package. Sources from git have none and cannot be used.
    .fix = Run uv lock again, and replace git sources by released packages or wheels in the package.
ROLE_PACKAGE_LOCKFILE_SOURCE_MISSING = A source in the lock is not in the package
    .why = The lock names a file or folder by its path, and there is none at that path.
    .fix = Add it to the package, or depend on a released package instead.
ROLE_PACKAGE_LOCKFILE_STALE = The lock does not fit pyproject.toml
    .why = Name or requirements in pyproject.toml differ from those that uv.lock was made for.
    .fix = Run uv lock again and add the new uv.lock.
ROLE_PACKAGE_PYTHON_INCOMPATIBLE = The package does not run on Python 3.11
    .why = Agotalk provides Python 3.11, and requires-python excludes it.
    .fix = Write requires-python = ">=3.11" and run uv lock again.
ROLE_PACKAGE_SETUP_CHECK_MISSING = A locked package has no setup check
    .why = A locked package has a program contents/bin/setup-check that proves that its dependencies work.
    .fix = Add contents/bin/setup-check; it ends with status 0 when the package can do its job.
ROLE_PACKAGE_SETUP_CHECK_NOT_EXECUTABLE = The setup check is not executable
    .why = contents/bin/setup-check is there, but its file mode has no executable bit in the zip.
    .fix = Run chmod +x contents/bin/setup-check and pack with a tool that keeps file modes.
ROLE_PACKAGE_SETUP_CHECK_FAILED = The setup check did not pass
    .why = contents/bin/setup-check ended with another status than 0 in a clean environment with nothing but the locked packages.
    .fix = Read what the program printed. Packages that are not in the lock, files in the home directory and API keys are not there when it runs.

## Publishing

ROLE_VERSION_IMMUTABLE_CONFLICT = This version exists with other content
    .why = What was published under a version never changes. The upload differs from it in its bytes or in its minimum app version.
    .fix = Raise the version in the manifest and publish again.
ROLE_PUBLISH_AUTH_MISSING = No publishing token was sent
    .why = Publishing needs a token in the Authorization header, and there was none or it was malformed.
    .fix = Set AGOTALK_ROLE_PUBLISH_TOKEN, or send Authorization: Bearer with your token.
ROLE_PUBLISH_AUTH_INVALID = The publishing token is not known
    .why = The token has the right form, but this catalog has not issued it.
    .fix = Check that the token belongs to this catalog and was copied whole, or ask for a new one.
ROLE_PUBLISH_AUTH_EXPIRED = The publishing token has expired
    .why = Tokens end on the day that was chosen when they were made.
    .fix = Ask for a new token.
ROLE_PUBLISH_AUTH_REVOKED = The publishing token was revoked
    .why = The token was withdrawn, for example because it may have become known to others.
    .fix = Ask for a new token.
ROLE_PUBLISH_FORBIDDEN = This token may not publish this role
    .why = The role belongs to another publisher, or the token was made for other roles.
    .fix = Use a token of the role's publisher that covers this role id, or choose another id.
ROLE_PUBLISH_CATALOG_CONFLICT = The upload contradicts the catalog
    .why = The address and the manifest name different versions or minimum app versions, or a version exists that differs only in what follows the plus sign.
    .fix = Make both places agree, or raise the version.
ROLE_ID_RESERVED = This role id is reserved
    .why = Some ids are kept for Agotalk itself or would be mistaken for a part of the site.
    .fix = Choose another id for the directory and the manifest.
ROLE_ID_LOOKALIKE = This role id looks like an existing one
    .why = Ids that can be mistaken for another publisher's role are not accepted.
    .fix = Choose an id that reads clearly differently, or ask the operator of the catalog.
ROLE_PUBLISH_DIRTY_TREE = The role has uncommitted changes
    .why = The publishing tool packs what is committed, so that a published version can be found again in the repository.
    .fix = Commit or put aside the changes below the role directory, and publish again.

## The app's alone

ROLE_IMPORT_DUPLICATE = A role with this id is already imported
    .why = The Agotalk app gives this code when a role of the same id is already in the library. The catalog never does.
    .fix = Update or remove the existing role in the app.
ROLE_KIND_NOT_LAUNCHABLE = This role has nothing to launch
    .why = The Agotalk app gives this code when a role that only talks is asked to open a page. The catalog never does.
    .fix = Select the role for a conversation instead.

## Warnings

ROLE_WARN_INSTALL_COMMAND = A text teaches to install packages
    .why = Agotalk installs the dependencies that a package declares. Instructions such as pip install or global npm installs change the user's computer beside it.
    .fix = Declare the dependency in pyproject.toml and uv.lock, and remove the instruction.
ROLE_WARN_HOME_PATH = A text uses a path outside the package
    .why = Paths such as ~/.local, /Users or /etc are different or off limits on another computer.
    .fix = Find files of the package through AGOTALK_ROLE_ROOT.
ROLE_WARN_SECRET = A file holds what looks like a secret
    .why = A published package is public, and so is every key in it.
    .fix = Remove the key, replace it where it was issued, and read it from the environment instead. If it is an example, make it look like one.
ROLE_WARN_IMAGE_SIZE = A picture has another size than recommended
    .why = An avatar has 512 × 512 pixels, a cover or screenshot 1280 × 720. Others are shown, but may be cut or look soft.
    .fix = Export the picture in the recommended size.
ROLE_WARN_IMAGE_FORMAT = A picture is not a PNG
    .why = Source pictures are PNG. Text in other formats often becomes blurred.
    .fix = Export the picture as PNG, also when its name already ends in .png.
ROLE_WARN_LARGE_IMAGE = A picture is larger than 1 MB
    .why = Everybody who installs the role downloads it.
    .fix = Reduce its colors or its size.
ROLE_WARN_UNUSED_LOCKFILE = The package has a lock that is not used
    .why = With dependency_mode = "none" nothing reads the lock at the root of the package.
    .fix = Write dependency_mode = "locked", or remove the lock.
ROLE_WARN_UNKNOWN_FIELD = A field looks like a known one
    .why = Unknown fields are ignored. This one is nearly a known field, or stands in another table than it belongs to.
    .fix = Correct its name or move it. If it is meant for something else, ignore this warning.
ROLE_WARN_TOML_1_1 = The manifest uses a newer TOML than the app reads
    .why = A reader of TOML 1.0 refuses this form, and older versions of the app are such readers.
    .fix = Write the value in the form of TOML 1.0.
ROLE_WARN_UNTRANSLATED = A language repeats the canonical text
    .why = Title and summary of an [i18n] table equal those of the manifest, although the package has other languages too.
    .fix = Translate them, or leave the table out if it names the manifest's own language by mistake.
ROLE_WARN_REMOTE_RESOURCE = A page loads something from the network
    .why = An application that loads scripts, styles, fonts or data at launch does not work without a network and tells others that it is used.
    .fix = Put the files into the package.
ROLE_WARN_INTRO_SCRIPT = The introduction holds scripts or forms
    .why = intro.html is shown as a static page: scripts, forms and event handlers do not work in it.
    .fix = Remove them, or make the page an application.
ROLE_WARN_SETUP_CHECK_UNREPORTED = Nobody reported that the setup check passed
    .why = A locked package was uploaded without the publishing tool's report on contents/bin/setup-check.
    .fix = Publish with the role-catalog command, which runs the check.
ROLE_WARN_LOOKALIKE_ID = The role id is near to an existing one
    .why = One letter sets it apart from another role, so people may confuse them.
    .fix = Choose an id that reads more differently, while the role is new.

## Requests

REQUEST_INVALID = The request cannot be understood
    .why = A part of the address or of the request has a value that is not allowed there.
    .fix = Check the address. If you followed a link, go on from the list of all roles.
CURSOR_INVALID = The cursor does not belong to this list
    .why = A cursor continues one list with the same order and the same filters, and cannot be made up or kept for ever.
    .fix = Start the list again without a cursor.
UPLOAD_DIGEST_MISMATCH = The upload arrived altered
    .why = The bytes that arrived do not have the digest that was announced with them.
    .fix = Upload again. If it happens once more, something between you and the catalog changes the bytes.
NOT_FOUND = There is nothing at this address
    .why = No role, version, picture or page has this address. It may be spelt differently, or may never have been published.
    .fix = Check the spelling, or look for it among all roles.
METHOD_NOT_ALLOWED = This address does not take such requests
    .why = The address exists, but not for this HTTP method. The Allow header lists those that it takes.
    .fix = Use one of the listed methods.
ROLE_VERSION_WITHDRAWN = This version was withdrawn
    .why = Its publisher or the operator took it back. The version number stays taken and the file is no longer served.
    .fix = Use another version of the role.
SYNC_RESET = The copy must be made anew
    .why = The revision that was asked for does not belong to this state of the catalog, for example after a restored backup.
    .fix = Fetch the snapshot again and go on from its revision.
PAYLOAD_TOO_LARGE = The upload is too large
    .why = The body of the request is larger than this address accepts.
    .fix = Make the package smaller, and upload it again.
UNSUPPORTED_MEDIA_TYPE = The upload has another type than expected
    .why = This address takes another Content-Type than the one that was sent. Packages are application/zip.
    .fix = Send the right Content-Type.
RANGE_NOT_SATISFIABLE = The file has no such part
    .why = The Range header asks for bytes beyond the end of the file.
    .fix = Ask for a part that exists, or for the whole file.
RATE_LIMITED = Too many requests at once
    .why = Each client may send a certain number of requests in a time, so that the catalog stays quick for all.
    .fix = Wait as many seconds as the Retry-After header says, and try again.
INTERNAL = Something went wrong here
    .why = The catalog met a fault of its own. It has been written down under the request's number.
    .fix = Try again in a moment. If it stays, tell the operator the request's number.
UNAVAILABLE = The catalog is busy or resting
    .why = The catalog cannot answer right now: it is busy, a part of it cannot be reached, or this copy takes no changes.
    .fix = Try again in a moment.
STORAGE_FULL = There is no room for uploads
    .why = The storage of the catalog is nearly full, so it takes no uploads. Browsing and downloads go on.
    .fix = Try again later, or tell the operator.
