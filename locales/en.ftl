# Agotalk Roles in English: the source of all translations.
#
# Glossary: role (a package of either kind; also the kind that talks) · application (the kind that opens a page) ·
# package (the zip) · publisher (who uploads) · summary (the short text) · role.md, min_app_version and other file and
# field names are never translated. Sentences are short and calm, without exclamation marks.
# $n is a number as the language writes it; $count is the same number, for plural forms alone.

site-name = Agotalk Roles
site-note = Facts on these pages are computed from each package. Texts and pictures belong to their publishers.
get-app = Get Agotalk
contact = Contact
skip-to-content = Skip to content
language = Language

search = Search
search-roles = Search roles
search-placeholder = Name, topic or task

catalog-title = Free roles and small applications
catalog-title-search = Search: { $q }
catalog-heading = Roles for Agotalk
catalog-lede = Give your agent a profession: a teacher, a reviewer, a game to play together. All free, each one checked before it is listed.
catalog-description = Free role packages for Agotalk: conversational roles and small browser applications, with facts computed from each package.
catalog-count = { $count ->
    [one] { $n } role
   *[other] { $n } roles
}
catalog-results = { $count ->
    [0] Nothing found
    [one] { $n } role found
   *[other] { $n } roles found
}

tabs = Kind
tab-all = All
tab-roles = Roles
tab-applications = Applications

sort = Sort by
sort-relevance = Best match
sort-updated = Updated
sort-new = New
sort-name = Name
sort-downloads = Downloads

kind-role = Role
kind-application = Application

by-publisher = by
card-downloads = { $count ->
    [one] { $n } download
   *[other] { $n } downloads
}
languages = Languages

paging = Pages
page-previous = Previous
page-next = Next

empty-search-title = Nothing fits this search
empty-search-text = Try fewer or other words, in any language, or look at all kinds.
empty-title = Nothing here yet
empty-text = Roles appear here as soon as they are published.
empty-everything = Show all roles

role-version = Version
role-requires = for Agotalk { $version } or newer
open-in-app = Open in Agotalk
download-zip = Download .zip
pictures = Pictures
picture-cover = Cover picture
picture-screenshot = Screenshot
picture-open = open in full size

text-heading = The role’s own text
text-note = This is role.md as Agotalk reads it, written by the publisher.
text-note-app = This is role.md as Agotalk reads it when it works with this application, written by the publisher.
text-rest = Read the rest
text-cut = The text is longer than this page shows. The whole of it is role.md in the package.

does-heading = What it does
does-note = Computed from the package, not claimed by it.
does-open-page = Opens a local page
    .detail = A page of the package, shown in Agotalk’s browser view.
does-talk-only = Talks only
    .detail = It opens no page of its own.
does-open-no-page = Opens no page
    .detail = It talks, and may run what the package ships.
does-ship-scripts = { $count ->
    [one] Ships { $n } script
   *[other] Ships { $n } scripts
}
    .detail = Programs that Agotalk may run on your computer.
does-ship-no-scripts = Ships no scripts
    .detail = The package holds no program that runs outside a page.
does-need-python = Needs Python packages
    .detail = Agotalk installs the ones that are locked in the package, apart from everything else.
does-need-nothing = Installs nothing
    .detail = It needs no Python packages.
does-remember = Remembers progress
    .detail = What you reached is kept for the next time.
does-forget = Keeps no progress
    .detail = Every session starts afresh.
more-files = { $count ->
    [one] and { $n } more file
   *[other] and { $n } more files
}

facts-heading = Facts
fact-id = Role id
fact-version = Version
fact-requires = Needs
fact-license = License
fact-size = Download
fact-unpacked = Unpacked
fact-files = Files
fact-downloads = Downloads
fact-published = Published
fact-updated = Updated
license-free = Free

coverage-heading = Languages
coverage-note = Title and summary are written in
coverage-none = Title and summary are written in one language only.
coverage-original = Original
coverage-shown = shown here

versions-heading = Versions
version-column = Version
published-column = Published
size-column = Size
more-versions = { $count ->
    [one] and { $n } older version
   *[other] and { $n } older versions
}
status-yanked = yanked
status-withdrawn = withdrawn

integrity-heading = Integrity
integrity-note = Published bytes never change. To check a download, run this beside the file:

yanked-title = This version was yanked
yanked-text = It can still be downloaded, but is no longer offered to anybody who does not ask for it.
withdrawn-title = This version was withdrawn
withdrawn-text = It can no longer be downloaded.
older-title = This is not the latest version
older-text = You are looking at an exact version.
status-reason = Reason given:
see-latest = See the latest version,

error-status = Error
error-home = All roles
error-explain = What this code means
request-id = Request

code-eyebrow = Error codes
code-why = What it means
code-fix = How to mend it

size-bytes = { $n } B
size-kilobytes = { $n } KB
size-megabytes = { $n } MB
size-gigabytes = { $n } GB
