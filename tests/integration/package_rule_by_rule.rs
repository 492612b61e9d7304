//! Each rule of the validator with the smallest package that breaks it. A test's name begins with its rule.

use std::collections::BTreeSet;
use std::path::Path;

use image::ImageFormat;
use role_catalog::domain::{Code, Limits, Rule};
use role_catalog::package::{check_import, validate};
use strum::IntoEnumIterator as _;

use crate::package_locks::locked;
use crate::support::package_builder::{PackageBuilder, picture};

fn role() -> PackageBuilder {
    PackageBuilder::role("tutor")
}

fn application() -> PackageBuilder {
    PackageBuilder::application("tutor")
}

/// The manifest of [`role`] with one text replaced by another.
fn manifest_text(from: &str, to: &str) -> String {
    let manifest = "schema_version = 1\nid = \"tutor\"\nversion = \"0.1.0\"\ntitle = \"T\"\nsummary = \"S\"\nkind = \
                    \"role\"\nlicense = \"free\"\nmin_app_version = \"0.1.57\"\n[state]\nremembers_progress = \
                    false\n[environment]\nmanager = \"agotalk\"\ndependency_mode = \"none\"\n";
    assert!(manifest.contains(from), "{from}");
    manifest.replace(from, to)
}

fn manifest(from: &str, to: &str) -> PackageBuilder {
    role().manifest(manifest_text(from, to))
}

fn refused(package: &PackageBuilder, rule: Rule, code: Code) {
    let Err(report) = validate(package.build(), &Limits::default(), None) else { panic!("{rule}: it is accepted") };
    let found: BTreeSet<_> = report.errors().map(|issue| (issue.rule, issue.code)).collect();
    assert_eq!(found, BTreeSet::from([(rule, code)]), "{report:#?}");
}

fn warned(package: &PackageBuilder, rule: Rule, code: Code) {
    let package = validate(package.build(), &Limits::default(), None).unwrap_or_else(|report| panic!("{report:#?}"));
    let found: BTreeSet<_> = package.report().issues.iter().map(|issue| (issue.rule, issue.code)).collect();
    assert_eq!(found, BTreeSet::from([(rule, code)]), "{:#?}", package.report());
}

fn accepted(package: &PackageBuilder) {
    let package = validate(package.build(), &Limits::default(), None).unwrap_or_else(|report| panic!("{report:#?}"));
    assert_eq!(package.report().issues, []);
}

#[test]
fn a01_bytes_around_the_archive_are_refused() {
    let zip = role().build();
    for bytes in [[&zip[..], b"x"].concat(), [b"x", &zip[..]].concat(), zip[..zip.len() - 1].to_vec(), Vec::new()] {
        let report = validate(bytes.into(), &Limits::default(), None).unwrap_err();
        assert_eq!(report.code(), Some(Code::RolePackageArchiveInvalid));
    }
}

#[test]
fn a02_a_file_that_unpacks_beyond_all_proportion_is_refused_and_a_dense_picture_is_not() {
    let bomb = role().file("contents/blank.bin", vec![0; 16 * 1024 * 1024]);
    refused(&bomb, Rule::A02, Code::RolePackageLimitExceeded);
    // Six files are allowed six times the floor, whichever of them needs it.
    let dense = role().with_pictures().file("contents/blank.bin", vec![0; 3 * 1024 * 1024]);
    accepted(&dense);
}

#[test]
fn a03_a_file_beside_the_top_level_directory_is_refused() {
    for package in [role().raw_file("notes.txt", "x"), role().raw_directory("__MACOSX")] {
        refused(&package, Rule::A03, Code::RoleImportZipTopLevelInvalid);
    }
}

#[test]
fn a04_a_symbolic_link_is_refused() {
    refused(&role().raw_symlink("tutor/link", "role.md"), Rule::A04, Code::RoleImportZipEntryInvalid);
}

#[test]
fn a05_content_that_differs_from_its_checksum_is_refused() {
    let mut zip = role().stored().build().to_vec();
    let at = zip.windows(7).position(|window| window == b"patient").unwrap();
    zip[at] = b'P';
    let report = validate(zip.into(), &Limits::default(), None).unwrap_err();
    let found = report.errors().next().map(|issue| (issue.rule, issue.code));
    assert_eq!(found, Some((Rule::A05, Code::RoleImportZipEntryInvalid)));
}

#[test]
fn a06_names_that_leave_the_package_or_trick_somebody_are_refused() {
    refused(&role().raw_file("tutor/../../x", ""), Rule::A06, Code::RolePackagePathOutsideRoot);
    for name in ["tutor/a\\b", "tutor/a:b", "tutor/CON", "tutor/a ", "tutor/e\u{301}", "tutor/a\u{202E}b"] {
        refused(&role().raw_file(name, ""), Rule::A06, Code::RoleImportZipEntryInvalid);
    }
}

#[test]
fn a07_two_entries_for_one_file_are_refused() {
    refused(&role().file("contents/a", "").file("contents/A", ""), Rule::A07, Code::RoleImportZipEntryInvalid);
}

#[test]
fn a08_what_tools_leave_behind_is_refused_and_similar_names_are_not() {
    for name in [".DS_Store", "contents/.git/config", "contents/node_modules/x.js", "contents/.env", "._role.md"] {
        refused(&role().file(name, ""), Rule::A08, Code::RoleImportZipEntryInvalid);
    }
    accepted(&role().file("contents/.env.example", "KEY=").file(".gitignore", "x"));
}

#[test]
fn a09_skills_hold_markdown_only() {
    refused(&role().file("skills/deep/tool.py", ""), Rule::A09, Code::RolePackageSkillsNotMarkdown);
    accepted(&role().file("skills/deep/tool.md", "x"));
}

#[test]
fn m01_publishing_requires_the_manifest() {
    refused(&role().without("agotalk.role.toml"), Rule::M01, Code::RolePackageManifestMissing);
}

#[test]
fn m02_the_manifest_is_utf_8_toml_and_may_begin_with_a_mark() {
    refused(&role().manifest("title: T"), Rule::M02, Code::RoleContractInvalid);
    refused(&role().manifest(&b"a = \"\xff\""[..]), Rule::M02, Code::RoleContractInvalid);
    accepted(&manifest("schema_version", "\u{FEFF}schema_version"));
}

#[test]
fn m03_schema_version_is_the_integer_one() {
    refused(&manifest("schema_version = 1\n", ""), Rule::M03, Code::RoleContractFieldMissing);
    for wrong in ["\"1\"", "1.0", "2", "true"] {
        let package = manifest("schema_version = 1", &format!("schema_version = {wrong}"));
        refused(&package, Rule::M03, Code::RoleContractFieldInvalid);
    }
}

#[test]
fn m04_the_id_is_words_joined_by_single_hyphens() {
    refused(&manifest("id = \"tutor\"\n", ""), Rule::M04, Code::RoleContractFieldMissing);
    refused(&manifest("id = \"tutor\"", "id = 1"), Rule::M04, Code::RoleContractFieldInvalid);
    refused(&PackageBuilder::role("tutor--x"), Rule::M04, Code::RoleContractFieldInvalid);
}

#[test]
fn m05_the_id_is_the_directory() {
    refused(&manifest("id = \"tutor\"", "id = \"teacher\""), Rule::M05, Code::RolePackageIdMismatch);
}

#[test]
fn m06_the_version_is_semver() {
    refused(&manifest("version = \"0.1.0\"\n", ""), Rule::M06, Code::RoleContractFieldMissing);
    refused(&role().version("1.0"), Rule::M06, Code::RoleContractFieldInvalid);
}

#[test]
fn m07_title_and_summary_are_one_short_trimmed_line() {
    refused(&manifest("summary = \"S\"\n", ""), Rule::M07, Code::RoleContractFieldMissing);
    for (title, summary) in [(" T", "S"), ("T\\n", "S"), ("T", "\\u202E"), (&"x".repeat(121)[..], "S")] {
        refused(&role().text(title, summary), Rule::M07, Code::RoleContractFieldInvalid);
    }
}

#[test]
fn m08_the_kind_is_role_or_application() {
    refused(&manifest("kind = \"role\"", "kind = \"agent\""), Rule::M08, Code::RolePackageKindInvalid);
}

#[test]
fn m09_the_license_is_free() {
    refused(&manifest("license = \"free\"\n", ""), Rule::M09, Code::RoleContractFieldMissing);
    refused(&manifest("\"free\"", "\"MIT\""), Rule::M09, Code::RoleContractFieldInvalid);
}

#[test]
fn m10_remembers_progress_is_boolean() {
    let package = manifest("remembers_progress = false", "remembers_progress = \"no\"");
    refused(&package, Rule::M10, Code::RoleStateRemembersProgressInvalid);
}

#[test]
fn m11_the_environment_names_its_manager_and_mode() {
    refused(&manifest("\"agotalk\"", "\"uv\""), Rule::M11, Code::RoleEnvironmentInvalid);
    refused(&manifest("dependency_mode = \"none\"\n", ""), Rule::M11, Code::RoleEnvironmentInvalid);
}

#[test]
fn m12_the_minimum_app_version_is_plain() {
    refused(&manifest("0.1.57", "0.1.57-beta"), Rule::M12, Code::RoleContractFieldInvalid);
}

#[test]
fn m13_publishing_needs_a_minimum_app_version() {
    let package = manifest("min_app_version = \"0.1.57\"\n", "");
    refused(&package, Rule::M13, Code::RolePublishMinAppVersionMissing);
    assert!(check_import(package.build(), &Limits::default()).is_valid());
}

#[test]
fn m14_languages_have_canonical_tags_and_both_texts() {
    let i18n = |text: &str| role().manifest_extra(text);
    let invalid = Code::RoleContractFieldInvalid;
    refused(&i18n("[i18n.en]\ntitle = \"T\"\n"), Rule::M14, Code::RoleContractFieldMissing);
    refused(&i18n("[i18n.zh_CN]\ntitle = \"T\"\nsummary = \"S\"\n"), Rule::M14, invalid);
    let nine = ["de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl"];
    let nine = nine.map(|tag| format!("[i18n.{tag}]\ntitle = \"T\"\nsummary = \"{tag}\"\n")).concat();
    refused(&i18n(&nine), Rule::M14, invalid);
}

#[test]
fn m15_unknown_fields_are_ignored() {
    accepted(&role().manifest_extra("[capabilities]\nshell = true\n[state.x]\ny = 1979-05-27\n"));
}

#[test]
fn e01_a_role_has_no_entry_not_even_an_empty_one() {
    refused(&role().manifest_extra("[entry]\n"), Rule::E01, Code::RolePackageEntryForbidden);
}

#[test]
fn e02_an_application_has_one_entry() {
    let package = manifest("kind = \"role\"", "kind = \"application\"");
    refused(&package, Rule::E02, Code::RolePackageEntryRequired);
}

/// An application with this entry and a page at `agapps/game/index.html`.
fn entry(kind: &str, target: &str, address_bar: &str) -> PackageBuilder {
    let entry = format!("[entry]\nkind = \"{kind}\"\ntarget = {target}\naddress_bar = \"{address_bar}\"\n[state]");
    application().manifest(manifest_text("[state]", &entry).replace("\"role\"", "\"application\""))
}

#[test]
fn e03_an_entry_is_a_static_page() {
    let package = entry("dev_server", "\"agapps/game/index.html\"", "hidden");
    refused(&package, Rule::E03, Code::RoleEntryKindUnsupported);
}

#[test]
fn e04_the_address_bar_is_visible_or_hidden() {
    let package = entry("static_browser", "\"agapps/game/index.html\"", "none");
    refused(&package, Rule::E04, Code::RoleEntryAddressBarInvalid);
    accepted(&entry("static_browser", "\"agapps/game/index.html\"", "visible"));
}

#[test]
fn e05_the_target_is_the_path_of_a_page() {
    for target in ["1", "\"\"", "\"role.md\""] {
        refused(&entry("static_browser", target, "hidden"), Rule::E05, Code::RoleContractFieldInvalid);
    }
}

#[test]
fn e06_the_target_stays_inside_the_package() {
    for target in ["\"../x.html\"", "\"/x.html\"", "\"https://example.com/x.html\"", "\"..%2Fx.html\"", "'a\\x.html'"] {
        refused(&entry("static_browser", target, "hidden"), Rule::E06, Code::RolePackagePathOutsideRoot);
    }
}

#[test]
fn e07_the_target_is_there() {
    let package = entry("static_browser", "\"agapps/game/Index.html\"", "hidden");
    refused(&package, Rule::E07, Code::RoleEntryTargetNotFound);
}

#[test]
fn e08_the_target_is_a_file() {
    refused(&entry("static_browser", "\"agapps/game\"", "hidden"), Rule::E08, Code::RoleEntryTargetNotFile);
}

fn preview(text: &str) -> PackageBuilder {
    role().manifest_extra(&format!("[preview]\n{text}\n")).file("intro.html", "<p>Hello</p>")
}

#[test]
fn p01_a_preview_names_its_files_by_texts() {
    for text in ["intro_html = 1", "cover_image = \"\"", "screenshots = []", "screenshots = \"intro.html\""] {
        refused(&preview(text), Rule::P01, Code::RolePreviewInvalid);
    }
    accepted(&preview("intro_html = \"intro.html\""));
}

#[test]
fn p02_a_preview_stays_inside_the_package() {
    refused(&preview("intro_html = \"../intro.html\""), Rule::P02, Code::RolePackagePathOutsideRoot);
}

#[test]
fn p03_the_files_of_a_preview_are_there() {
    refused(&preview("intro_html = \"Intro.html\""), Rule::P03, Code::RolePreviewNotFound);
    refused(&preview("intro_html = \"skills\"").file("skills/a.md", "x"), Rule::P03, Code::RolePreviewNotFile);
}

#[test]
fn p04_a_cover_is_a_picture() {
    refused(&preview("cover_image = \"intro.html\""), Rule::P04, Code::RolePreviewInvalid);
}

#[test]
fn p05_an_avatar_is_a_picture() {
    refused(&role().file("avatar.png", "x"), Rule::P05, Code::RolePackageAvatarInvalid);
}

#[test]
fn r01_the_role_describes_itself() {
    refused(&role().without("role.md"), Rule::R01, Code::RoleBehaviorFileMissing);
    refused(&application().file("role.md", " \n"), Rule::R01, Code::RoleImportRoleMdMissing);
}

#[test]
fn r02_the_front_matter_has_no_avatar() {
    let package = role().file("role.md", "---\ntitle: T\n\"avatar\": x\n---\nBody");
    refused(&package, Rule::R02, Code::RolePackageLegacyAvatarField);
}

#[test]
fn r03_an_opened_front_matter_is_closed() {
    refused(&role().file("role.md", "---\ntitle: T\n"), Rule::R03, Code::RolePackageRoleMdInvalid);
}

#[test]
fn r04_title_and_description_fall_back_and_an_unquoted_colon_is_read() {
    let read = |text: &str| {
        let package = validate(role().file("role.md", text.to_owned()).build(), &Limits::default(), None).unwrap();
        (package.role_md().title.clone(), package.role_md().description.clone())
    };
    assert_eq!(read("Body"), ("tutor".to_owned(), String::new()));
    assert_eq!(read("---\ntitle: A: B\n---\n"), ("A: B".to_owned(), String::new()));
}

#[test]
fn l01_the_lock_and_its_project_lie_at_the_root() {
    for file in ["uv.lock", "pyproject.toml"] {
        refused(&locked("platforms").without(file), Rule::L01, Code::RolePackageLockfileMissing);
    }
}

#[test]
fn l02_another_lockfile_instead_is_unsupported() {
    let package = locked("platforms").without("uv.lock").file("package-lock.json", "{}");
    refused(&package, Rule::L02, Code::RolePackageLockfileUnsupported);
    accepted(&locked("platforms").file("requirements.txt", "x"));
}

#[test]
fn l08_a_locked_package_has_a_setup_check() {
    let package = locked("platforms").without("contents/bin/setup-check");
    refused(&package, Rule::L08, Code::RolePackageSetupCheckMissing);
}

#[test]
fn l09_the_setup_check_is_executable() {
    let package = locked("platforms").file("contents/bin/setup-check", "#!/bin/sh\n");
    refused(&package, Rule::L09, Code::RolePackageSetupCheckNotExecutable);
}

#[test]
fn w01_a_taught_installation_is_advised_against() {
    warned(&role().file("skills/a.md", "Run `pip install x`."), Rule::W01, Code::RoleWarnInstallCommand);
}

#[test]
fn w02_a_path_in_somebodys_home_is_advised_against() {
    warned(&role().file("contents/a.sh", "cat ~/.claude/x\n"), Rule::W02, Code::RoleWarnHomePath);
}

#[test]
fn w03_a_key_is_warned_about_and_never_shown() {
    let secret = "ghp_q7Rz2Kd9XwBf4TgHm6YpLs3VnJc8E5aUt1q7";
    let package = role().file("contents/a.sh", format!("TOKEN={secret}\n"));
    warned(&package, Rule::W03, Code::RoleWarnSecret);
    let report = validate(package.build(), &Limits::default(), None).unwrap().report().clone();
    let issue = &report.issues[0];
    assert_eq!((issue.path.as_deref(), issue.line, issue.column), (Some("contents/a.sh"), Some(1), Some(7)));
    assert_eq!(issue.excerpt.as_deref(), Some("TOKEN=ghp_…"));
    // Nor is it shown by another rule.
    let refused = role().manifest(format!("id = \"{secret}\"\ntitle = ")).build();
    let report = validate(refused, &Limits::default(), None).unwrap_err();
    assert!(!serde_json::to_string(&report).unwrap().contains(&secret[8..]));
}

#[test]
fn w04_a_picture_of_another_size_is_advised_against() {
    let package = role().file("avatar.png", picture(256, 256, ImageFormat::Png));
    warned(&package, Rule::W04, Code::RoleWarnImageSize);
}

#[test]
fn w05_a_picture_of_another_format_is_advised_against() {
    let package = role().file("avatar.png", picture(512, 512, ImageFormat::Jpeg));
    warned(&package, Rule::W05, Code::RoleWarnImageFormat);
}

#[test]
fn w06_a_large_picture_is_advised_against() {
    let mut png = picture(512, 512, ImageFormat::Png).to_vec();
    let noise: Vec<u8> =
        (0..400_000_u64).flat_map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes()[..3].to_vec()).collect();
    let chunk = [b"tEXtComment\0".as_slice(), &noise].concat();
    let length = u32::try_from(chunk.len() - 4).unwrap().to_be_bytes();
    let whole = [&length[..], &chunk, &crc32fast::hash(&chunk).to_be_bytes()].concat();
    png.splice(33..33, whole);
    warned(&role().file("avatar.png", png), Rule::W06, Code::RoleWarnLargeImage);
}

#[test]
fn w07_a_lockfile_that_nothing_installs_is_warned_about() {
    warned(&role().file("uv.lock", "version = 1"), Rule::W07, Code::RoleWarnUnusedLockfile);
}

#[test]
fn w08_a_misplaced_key_is_warned_about() {
    warned(&manifest("license", "manager = \"x\"\nlicense"), Rule::W08, Code::RoleWarnUnknownField);
}

#[test]
fn w09_a_form_of_toml_1_1_is_warned_about() {
    warned(&role().manifest_extra("x = { a = 1, }\n"), Rule::W09, Code::RoleWarnToml11);
}

#[test]
fn w10_a_language_that_repeats_the_canonical_texts_beside_others_is_warned_about() {
    let same = "[i18n.de]\ntitle = \"T\"\nsummary = \"S\"\n";
    let other = "[i18n.fr]\ntitle = \"T\"\nsummary = \"R\"\n";
    let package = role().text("T", "S");
    accepted(&package.clone().manifest_extra(same));
    warned(&package.manifest_extra(same).manifest_extra(other), Rule::W10, Code::RoleWarnUntranslated);
}

#[test]
fn w11_an_application_that_loads_from_the_network_is_warned_about() {
    let page = "<!doctype html><script src=\"https://cdn.example.com/x.js\"></script>";
    warned(&application().file("agapps/game/index.html", page), Rule::W11, Code::RoleWarnRemoteResource);
    accepted(&role().file("contents/page.html", page));
}

#[test]
fn w12_a_script_in_the_presentation_page_is_warned_about() {
    warned(&role().file("intro.html", "<script>x</script>"), Rule::W12, Code::RoleWarnIntroScript);
}

/// Rules that other layers decide and test: the tool runs setup-check (L10), the catalog knows other versions and roles
/// (B01 to B05, W14), the upload says whether setup-check passed (W13).
const ELSEWHERE: [Rule; 8] = [Rule::L10, Rule::B01, Rule::B02, Rule::B03, Rule::B04, Rule::B05, Rule::W13, Rule::W14];

#[test]
fn every_rule_is_named_by_a_test() {
    fn collect(folder: &Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, text);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&std::fs::read_to_string(&path).unwrap());
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    collect(&root.join("src/package"), &mut text);
    collect(&root.join("tests/integration"), &mut text);
    let is_named = |rule: &Rule| text.contains(&format!("fn {}_", rule.to_string().to_lowercase()));
    let unnamed: Vec<Rule> =
        Rule::iter().filter(|rule| *rule != Rule::Request && !ELSEWHERE.contains(rule) && !is_named(rule)).collect();
    assert_eq!(unnamed, []);
}
