//! What the validator promises beyond the single cases: everything at once, in order, with its place, within limits.

use std::sync::LazyLock;

use bytes::Bytes;
use image::ImageFormat;
use proptest::prelude::*;
use role_catalog::domain::{AppVersion, Code, Issue, Kind, Limits, Rule, Sha256Digest};
use role_catalog::package::{PackFile, Report, SourcePicture, ValidatedPackage, check_import, pack, validate};

use crate::support::package_builder::{PackageBuilder, picture};

fn accepted(package: &PackageBuilder) -> ValidatedPackage {
    validate(package.build(), &Limits::default(), None).unwrap_or_else(|report| panic!("{report:#?}"))
}

fn refused(package: &PackageBuilder) -> Report {
    validate(package.build(), &Limits::default(), None).unwrap_err()
}

fn codes<'i>(issues: impl Iterator<Item = &'i Issue>) -> Vec<(Rule, Code)> {
    issues.map(|issue| (issue.rule, issue.code)).collect()
}

#[test]
fn a_valid_package_tells_everything_about_itself() {
    let builder = PackageBuilder::application("word-game")
        .with_pictures()
        .executable("contents/bin/tool", "#!/bin/sh\n")
        .manifest_extra("\n[i18n.zh-CN]\ntitle = \"单词\"\nsummary = \"游戏\"\nextra = 1979-05-27\n");
    let package = accepted(&builder);

    assert_eq!(package.zip(), &builder.build());
    assert_eq!(package.sha256(), Sha256Digest::of(package.zip()));
    let manifest = package.manifest();
    assert_eq!((manifest.id.as_str(), manifest.version.to_string().as_str()), ("word-game", "0.1.0"));
    assert!(matches!(&manifest.kind, Kind::Application(entry) if entry.target.as_str() == "agapps/game/index.html"));
    assert_eq!(manifest.i18n[0].0.as_str(), "zh-CN");
    assert_eq!(package.min_app_version(), AppVersion::parse("0.1.57").unwrap());
    assert_eq!(package.manifest_json()["i18n"]["zh-CN"]["extra"], "1979-05-27");
    assert_eq!(package.role_md().title, "Patient tutor");
    assert_eq!(package.role_md().narrative, "\nYou are patient.\n");

    let paths: Vec<_> = package.files().iter().map(|file| file.path.as_str()).collect();
    assert!(paths.is_sorted());
    let executable: Vec<_> =
        package.files().iter().filter(|file| file.executable).map(|file| file.path.as_str()).collect();
    assert_eq!(executable, ["contents/bin/tool"]);
    assert_eq!(package.unpacked_bytes(), package.files().iter().map(|file| file.size_bytes).sum::<u64>());

    let pictures = package.pictures();
    let decode = |picture: &SourcePicture| picture.decode(&Limits::default()).unwrap();
    assert_eq!(decode(pictures.avatar.as_ref().unwrap()).width(), 512);
    assert_eq!(decode(pictures.cover.as_ref().unwrap()).height(), 720);
    assert_eq!(pictures.screenshots.len(), 1);
    assert_eq!(package.report().issues, []);
}

#[test]
fn all_problems_are_reported_at_once_in_rule_order() {
    let manifest = "schema_version = \"1\"\nid = \"other\"\nversion = \"1.0\"\ntitle = \"T\"\nsummary = \"\"\nkind = \
                    \"application\"\nlicense = \"MIT\"\n\n[entry]\nkind = \"x\"\ntarget = \"../x.html\"\n";
    let report = refused(
        &PackageBuilder::role("tutor")
            .manifest(manifest)
            .file("role.md", "---\navatar: x\n---\n")
            .file("avatar.png", "no picture")
            .file("skills/tool.py", "")
            .raw_file("tutor/.DS_Store", ""),
    );
    let rules: Vec<String> = report.issues.iter().map(|issue| issue.rule.to_string()).collect();
    assert_eq!(rules.join(" "), "A08 A09 M03 M05 M06 M07 M09 M10 M11 M11 M13 E03 E04 E06 P05 R02");
    assert!(!report.is_valid());
    assert_eq!(report.code(), Some(Code::RoleImportZipEntryInvalid));
    assert_eq!((report.role_id.as_deref(), report.version.as_deref()), (Some("other"), Some("1.0")));
}

#[test]
fn an_issue_says_where_it_is_and_how_to_mend_it() {
    let package = PackageBuilder::role("tutor").text("T", "S\\u202Ex");
    let report = refused(&package);
    let [issue] = report.issues.as_slice() else { panic!("{report:#?}") };
    assert_eq!(issue.path.as_deref(), Some("agotalk.role.toml"));
    assert_eq!(issue.field.as_deref(), Some("summary"));
    assert_eq!((issue.line, issue.column), (Some(5), Some(11)));
    assert_eq!(issue.excerpt.as_deref(), Some("summary = \"S\\u202Ex\""));
    assert_eq!(issue.docs, "/docs/errors/ROLE_CONTRACT_FIELD_INVALID");

    let missing =
        PackageBuilder::application("tutor").file("agapps/game/Index.html", "").without("agapps/game/index.html");
    let report = refused(&missing);
    assert_eq!(codes(report.errors()), [(Rule::E07, Code::RoleEntryTargetNotFound)]);
    assert_eq!(report.issues[0].hint.as_deref(), Some("target = \"agapps/game/Index.html\""));
}

#[test]
fn a_minimum_app_version_comes_from_the_manifest_or_the_upload_and_never_from_a_default() {
    let manifest = "schema_version = 1\nid = \"tutor\"\nversion = \"1.0.0\"\ntitle = \"T\"\nsummary = \"S\"\nkind = \
                    \"role\"\nlicense = \"free\"\nstate.remembers_progress = true\nenvironment = {manager = \"agotalk\", \
                    dependency_mode = \"none\"}\n";
    let package = PackageBuilder::role("tutor").manifest(manifest);
    assert_eq!(codes(refused(&package).errors()), [(Rule::M13, Code::RolePublishMinAppVersionMissing)]);
    let explicit = AppVersion::parse("0.2.0").unwrap();
    let validated = validate(package.build(), &Limits::default(), Some(explicit)).unwrap();
    assert_eq!(validated.min_app_version(), explicit);

    let own = validate(PackageBuilder::role("tutor").build(), &Limits::default(), Some(explicit)).unwrap();
    assert_eq!(own.min_app_version(), AppVersion::parse("0.1.57").unwrap());
}

#[test]
fn an_import_needs_no_manifest_and_shows_the_apps_codes() {
    let check = |package: &PackageBuilder| check_import(package.build(), &Limits::default());
    let local = PackageBuilder::role("tutor").without("agotalk.role.toml");
    assert_eq!(check(&local), Report::default());
    assert_eq!(refused(&local).code(), Some(Code::RolePackageManifestMissing));

    let report = check(&local.without("role.md").file("notes.md", "x"));
    assert_eq!(report.code(), Some(Code::RoleImportRoleMdMissing));

    let report = check(&PackageBuilder::role("tutor").manifest_extra("\n[entry]\n"));
    assert_eq!(report.code(), Some(Code::RoleContractFieldInvalid));
    assert_eq!(report.issues[0].guide_code, Some(Code::RolePackageEntryForbidden));
    assert_eq!(report.issues[0].docs, "/docs/errors/ROLE_CONTRACT_FIELD_INVALID");
}

/// Makes one limit too small.
type Tighten = fn(&mut Limits);

#[test]
fn each_limit_refuses_what_lies_beyond_it() {
    let package = PackageBuilder::role("tutor").with_pictures().file("contents/data.bin", vec![7; 5000]);
    let zip = package.build();
    let validated = accepted(&package);
    let largest = validated.files().iter().map(|file| file.size_bytes).max().unwrap();
    let size_of = |path: &str| validated.files().iter().find(|file| file.path.as_str() == path).unwrap().size_bytes;
    let exact = Limits {
        zip_bytes: zip.len() as u64,
        unpacked_bytes: validated.unpacked_bytes(),
        file_bytes: largest,
        entries: validated.files().len() as u64,
        picture_pixels: 1280 * 720,
        pictures_pixels: 512 * 512 + 2 * 1280 * 720,
        manifest_bytes: size_of("agotalk.role.toml"),
        role_md_bytes: size_of("role.md"),
        ..Limits::default()
    };
    validate(zip.clone(), &exact, None).unwrap();

    let limit = Code::RolePackageLimitExceeded;
    let tightened: [(Tighten, Code); 9] = [
        (|limits| limits.zip_bytes -= 1, limit),
        (|limits| limits.unpacked_bytes -= 1, limit),
        (|limits| limits.file_bytes -= 1, limit),
        (|limits| limits.entries -= 1, limit),
        (|limits| limits.manifest_bytes -= 1, limit),
        (|limits| limits.role_md_bytes -= 1, limit),
        (|limits| (limits.ratio, limits.ratio_floor_bytes) = (1, 0), limit),
        (|limits| limits.picture_pixels -= 1, Code::RolePreviewInvalid),
        (|limits| limits.pictures_pixels -= 1, Code::RolePreviewInvalid),
    ];
    for (index, (tighten, code)) in tightened.into_iter().enumerate() {
        let mut limits = exact.clone();
        tighten(&mut limits);
        assert_eq!(validate(zip.clone(), &limits, None).unwrap_err().code(), Some(code), "limit {index}");
    }
}

#[test]
fn a_report_holds_so_many_issues_and_counts_the_rest() {
    let limits = Limits { issues: 3, ..Limits::default() };
    let mut package = PackageBuilder::role("tutor");
    for index in 0..5 {
        package = package.file(&format!("skills/{index}.py"), "");
    }
    let report = validate(package.build(), &limits, None).unwrap_err();
    assert_eq!((report.issues.len(), report.omitted), (3, 2));
}

#[test]
fn a_picture_named_twice_is_looked_at_once() {
    let cover = "assets/cover.png";
    let package = PackageBuilder::role("tutor").file(cover, picture(800, 600, ImageFormat::Png)).manifest_extra(
        &format!("\n[preview]\ncover_image = \"{cover}\"\nscreenshots = [\"{cover}\", \"./{cover}\"]\n"),
    );
    let limits = Limits { pictures_pixels: 800 * 600, ..Limits::default() };
    let validated = validate(package.build(), &limits, None).unwrap();
    assert_eq!(validated.pictures().screenshots.len(), 2);
    assert_eq!(codes(validated.report().warnings()), [(Rule::W04, Code::RoleWarnImageSize)]);
}

#[test]
fn pictures_are_known_by_their_bytes_whatever_they_are_called() {
    for (format, warns) in
        [(ImageFormat::Png, false), (ImageFormat::Jpeg, true), (ImageFormat::Gif, true), (ImageFormat::WebP, true)]
    {
        let bytes = picture(512, 512, format);
        let package = PackageBuilder::role("tutor").file("avatar.png", bytes.clone());
        let validated = accepted(&package);
        let warned = validated.report().warnings().any(|issue| issue.code == Code::RoleWarnImageFormat);
        assert_eq!(warned, warns, "{format:?}");

        let cut = PackageBuilder::role("tutor").file("avatar.png", bytes.slice(..bytes.len() / 2));
        assert_eq!(codes(refused(&cut).errors()), [(Rule::P05, Code::RolePackageAvatarInvalid)], "{format:?}");
    }
    let svg = PackageBuilder::role("tutor").file("avatar.png", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    assert_eq!(refused(&svg).code(), Some(Code::RolePackageAvatarInvalid));
}

#[test]
fn a_comment_is_allowed_unless_it_holds_another_archive() {
    accepted(&PackageBuilder::role("tutor").comment("packed by hand"));
    let hidden = PackageBuilder::role("tutor").comment("PK\u{1}\u{2}");
    assert_eq!(refused(&hidden).code(), Some(Code::RolePackageArchiveInvalid));
}

#[test]
fn what_is_no_regular_file_is_refused_and_never_followed() {
    let link = PackageBuilder::role("tutor").raw_symlink("tutor/avatar.png", "../../etc/passwd");
    assert_eq!(
        codes(refused(&link).errors()),
        [(Rule::A04, Code::RoleImportZipEntryInvalid), (Rule::P05, Code::RolePackageAvatarInvalid)]
    );
    accepted(&PackageBuilder::role("tutor").raw_directory("tutor/contents"));
}

#[test]
fn names_that_meet_on_some_disk_are_refused() {
    for (first, second) in [
        ("contents/a.txt", "contents/A.TXT"),
        ("contents/straße.txt", "contents/STRASSE.txt"),
        ("contents/x", "contents/x/y.txt"),
        ("Contents/a.txt", "contents/b.txt"),
    ] {
        let package = PackageBuilder::role("tutor").file(first, "").file(second, "");
        assert_eq!(
            codes(refused(&package).errors()),
            [(Rule::A07, Code::RoleImportZipEntryInvalid)],
            "{first} {second}"
        );
    }
    accepted(&PackageBuilder::role("tutor").file("contents/a/b.txt", "").file("contents/a-b.txt", ""));
}

#[test]
fn a_locked_package_ships_its_lock_and_an_executable_check() {
    let locked = PackageBuilder::role("tutor").locked();
    assert_eq!(
        codes(refused(&locked).errors()),
        [(Rule::L01, Code::RolePackageLockfileMissing), (Rule::L08, Code::RolePackageSetupCheckMissing)]
    );
    let node = locked.file("package-lock.json", "{}").file("contents/bin/setup-check", "#!/bin/sh\n");
    assert_eq!(
        codes(refused(&node).errors()),
        [(Rule::L02, Code::RolePackageLockfileUnsupported), (Rule::L09, Code::RolePackageSetupCheckNotExecutable)]
    );
}

#[test]
fn the_same_files_stored_or_deflated_are_the_same_package_in_other_bytes() {
    let (deflated, stored) = (PackageBuilder::role("tutor"), PackageBuilder::role("tutor").stored());
    assert_ne!(accepted(&deflated).sha256(), accepted(&stored).sha256());
    assert_eq!(accepted(&deflated).files(), accepted(&stored).files());
    let next = PackageBuilder::role("tutor").version("0.1.1");
    assert_eq!(accepted(&next).manifest().version.to_string(), "0.1.1");
}

/// A zip with everything in it, small enough to be broken at every place.
static SMALL_ZIP: LazyLock<Bytes> = LazyLock::new(|| {
    PackageBuilder::application("word-game")
        .file("avatar.png", picture(16, 16, ImageFormat::Png))
        .file("cover.jpg", picture(16, 16, ImageFormat::Jpeg))
        .manifest_extra("\n[preview]\ncover_image = \"cover.jpg\"\n")
        .comment("comment")
        .build()
});

/// A mutation: a place and what is done there.
fn mutation() -> impl Strategy<Value = (prop::sample::Index, u8, Vec<u8>)> {
    (any::<prop::sample::Index>(), 0..5_u8, prop::collection::vec(any::<u8>(), 1..9))
}

fn mutate(mut zip: Vec<u8>, (place, how, bytes): &(prop::sample::Index, u8, Vec<u8>)) -> Vec<u8> {
    if zip.is_empty() {
        return zip;
    }
    let at = place.index(zip.len());
    match how {
        0 => zip[at] ^= bytes[0],
        1 => zip.truncate(at),
        2 => drop(zip.splice(at..at, bytes.iter().copied())),
        3 => drop(zip.splice(at..(at + bytes.len()).min(zip.len()), bytes.iter().copied())),
        _ => zip.extend_from_within(at..),
    }
    zip
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn broken_zips_are_answered_and_other_bytes_are_never_the_same_package(
        mutations in prop::collection::vec(mutation(), 1..4),
    ) {
        let broken = Bytes::from(mutations.iter().fold(SMALL_ZIP.to_vec(), mutate));
        match validate(broken.clone(), &Limits::default(), None) {
            Ok(package) => prop_assert_eq!(package.sha256(), Sha256Digest::of(&broken)),
            Err(report) => prop_assert!(report.errors().next().is_some()),
        }
    }

    #[test]
    fn broken_manifests_are_answered(mutations in prop::collection::vec(mutation(), 1..6)) {
        let manifest = b"schema_version = 1\nid = \"tutor\"\n[entry]\ntarget = \"a\\u0062\"\n[preview]\nscreenshots = \
                         [\"x\", {a.b = 1}]\n[[i18n.en]]\ntitle = '''x'''\n[environment]\nx = 1979-05-27\n".to_vec();
        let broken = mutations.iter().fold(manifest, mutate);
        let report = validate(PackageBuilder::role("tutor").manifest(broken).build(), &Limits::default(), None).unwrap_err();
        prop_assert!(report.errors().next().is_some());
    }
}

#[test]
fn what_is_packed_here_is_valid() {
    let built = accepted(&PackageBuilder::application("word-game").with_pictures());
    let archive = zip::ZipArchive::new(std::io::Cursor::new(built.zip().clone())).unwrap();
    let files = built.files().iter().map(|file| {
        let mut bytes = Vec::new();
        let name = format!("word-game/{}", file.path);
        std::io::copy(&mut archive.clone().by_name(&name).unwrap(), &mut bytes).unwrap();
        PackFile { path: file.path.clone(), bytes: bytes.into(), executable: file.path.file_name() == "index.html" }
    });
    let packed = pack(&built.manifest().id, files.collect()).unwrap();
    let package = validate(packed, &Limits::default(), None).unwrap();
    assert_eq!(package.report().issues, []);
    let executable: Vec<_> = package.files().iter().filter(|file| file.executable).collect();
    assert_eq!(executable.len(), 1);
    let digests = |package: &ValidatedPackage| package.files().iter().map(|file| file.sha256).collect::<Vec<_>>();
    assert_eq!(digests(&package), digests(&built));
}
