//! Locked packages with locks that uv wrote (`tests/locks`, hosts renamed): accepted as they are, refused when somebody
//! changed one side only.

use std::path::{Path, PathBuf};

use role_catalog::domain::{Code, Limits, Rule};
use role_catalog::package::validate;

use crate::support::package_builder::PackageBuilder;

/// The shapes of projects in `tests/locks`: markers, extras and groups · many platforms · a workspace with constraints
/// and overrides · a wheel and two source trees in the package · extras that exclude each other.
const SHAPES: [&str; 5] = ["markers", "platforms", "workspace", "vendored", "conflicts"];

/// A valid locked package with the project of this shape.
pub(crate) fn locked(shape: &str) -> PackageBuilder {
    fn add(mut builder: PackageBuilder, root: &Path, folder: &Path) -> PackageBuilder {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            builder = if path.is_dir() {
                add(builder, root, &path)
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                builder.file(&name, std::fs::read(&path).unwrap())
            };
        }
        builder
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/locks").join(shape);
    let builder = PackageBuilder::role("locked-role").locked().executable("contents/bin/setup-check", "#!/bin/sh\n");
    add(builder, &root, &root)
}

fn text_of(shape: &str, file: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/locks").join(shape).join(file)).unwrap()
}

/// The same package with one text replaced once by another.
pub(crate) fn edited(shape: &str, file: &str, from: &str, to: &str) -> PackageBuilder {
    let text = text_of(shape, file);
    assert!(text.contains(from), "{shape}/{file} has no {from:?}");
    locked(shape).file(file, text.replacen(from, to, 1))
}

fn errors(package: &PackageBuilder) -> Vec<(Rule, Code, Option<String>)> {
    match validate(package.build(), &Limits::default(), None) {
        Ok(package) => {
            assert_eq!(package.report().issues, []);
            Vec::new()
        }
        Err(report) => report.errors().map(|issue| (issue.rule, issue.code, issue.excerpt.clone())).collect(),
    }
}

#[test]
fn locks_that_uv_wrote_are_accepted_in_every_shape() {
    for shape in SHAPES {
        assert_eq!(errors(&locked(shape)), [], "{shape}");
    }
}

#[test]
fn l03_what_uv_would_not_read_is_malformed() {
    for (from, to) in [
        ("version = 1\n", "version = 2\n"),
        ("version = 1\n", "version = \"1\"\n"),
        ("version = 1\n", "version = 1.0\n"),
        ("revision = 5", "revision = \"5\""),
        ("requires-python = \">=3.11\"\n", ""),
        ("requires-python = \">=3.11\"\n", "requires-python = \"3.11\"\n"),
        ("name = \"attrs\"\n", ""),
        ("name = \"attrs\"\n", "name = \"attrs!\"\n"),
        ("version = \"24.3.0\"\n", ""),
        ("version = \"24.3.0\"\n", "version = \"latest\"\n"),
        ("source = { registry = \"https://index.example.org/simple\" }\n", ""),
        ("source = { registry = ", "source = { shop = "),
        ("{ name = \"attrs\" },", "{ name = \"attrs-2\" },"),
        ("source = { virtual = \".\" }", "source = { virtual = \"contents\" }"),
    ] {
        let errors = errors(&edited("markers", "uv.lock", from, to).file("contents/x", ""));
        assert_eq!(errors.first().map(|(rule, ..)| *rule), Some(Rule::L03), "{from} → {to}: {errors:?}");
    }
    let bare = "version = 1\nrequires-python = \">=3.11\"\n[[package]]\nname = \"marker-role\"\nversion = \"0.1.0\"\nsource \
                = { virtual = \".\" }\n[[package]]\nname = \"six\"\nversion = \"1\"\nsource = { registry = \
                \"https://index.example.org/simple\" }\n";
    let errors = errors(&locked("markers").file("uv.lock", bare));
    assert_eq!(errors[0].1, Code::RolePackageLockfileMalformed, "no artifacts: {errors:?}");
}

#[test]
fn l03b_what_uv_would_not_read_is_no_project() {
    for (from, to) in [
        ("[project]", "[projects]"),
        ("name = \"Marker.Role\"\n", ""),
        ("name = \"Marker.Role\"", "name = \"Marker Role\""),
        ("name = \"Marker.Role\"", "name = 1"),
        ("version = \"0.1.0\"", "version = \"one\""),
        ("requires-python = \">=3.11\"", "requires-python = \"3.11\""),
        ("\"attrs ~= 24.2\"", "\"attrs = 24.2\""),
    ] {
        let errors = errors(&edited("markers", "pyproject.toml", from, to));
        assert_eq!(errors[0].1, Code::RolePackagePyprojectInvalid, "{from} → {to}: {errors:?}");
    }
}

#[test]
fn l04_every_artifact_has_a_digest_and_a_vendored_wheel_has_that_one() {
    let digest = "sha256:af8d898ade8135e856fcf9cb6f0039299a15f1881e1a647138acdf33c0fbe24b";
    let other = "sha256:12f65c9b470abda6dc35cf8e63cc574b1c52b11df2c86030af0ac09b01b13ea9";
    let source = "source = { path = \"vendor/clerk_helpers-0.1.0-py3-none-any.whl\" }";
    for (from, to) in [
        (digest, other),
        (digest, "sha256:af8d"),
        (digest, "af8d898ade8135e856fcf9cb6f0039299a15f1881e1a647138acdf33c0fbe24b"),
        (", hash = \"sha256:af8d898ade8135e856fcf9cb6f0039299a15f1881e1a647138acdf33c0fbe24b\"", ""),
        (source, "source = { git = \"https://git.example.org/x?rev=1#7ece85992ec6217c1a9fbaace787672f663c067a\" }"),
    ] {
        let errors = errors(&edited("vendored", "uv.lock", from, to));
        assert_eq!(errors[0].1, Code::RolePackageLockfileHashInvalid, "{from} → {to}: {errors:?}");
    }
    let damaged = locked("vendored").file("vendor/clerk_helpers-0.1.0-py3-none-any.whl", "other bytes");
    assert_eq!(errors(&damaged)[0].0, Rule::L04);
}

#[test]
fn l05_local_sources_stay_inside_the_package_and_are_there() {
    let outside = Code::RolePackagePathOutsideRoot;
    let absent = Code::RolePackageLockfileSourceMissing;
    for (from, to, code) in [
        ("editable = \"libs/tool\" }\ndep", "editable = \"../tool\" }\ndep", outside),
        ("editable = \"libs/tool\" }\ndep", "editable = \"/libs/tool\" }\ndep", outside),
        ("editable = \"libs/tool\" }\ndep", "editable = \"C:/tool\" }\ndep", outside),
        ("editable = \"libs/tool\" }\ndep", "editable = \"libs/other\" }\ndep", absent),
        ("editable = \"libs/tool\" }\ndep", "editable = \"libs/tool/pyproject.toml\" }\ndep", absent),
        ("directory = \"libs/virt\" }\ndep", "directory = \"libs/../../virt\" }\ndep", outside),
        ("path = \"vendor/clerk_helpers-0.1.0-py3-none-any.whl\" }\nwh", "path = \"../x.whl\" }\nwh", outside),
        ("path = \"vendor/clerk_helpers-0.1.0-py3-none-any.whl\" }\nwh", "path = \"vendor/x.whl\" }\nwh", absent),
        ("path = \"vendor/clerk_helpers-0.1.0-py3-none-any.whl\" }\nwh", "path = \"vendor\" }\nwh", absent),
        ("source = { url = \"https:", "source = { url = \"file:", outside),
    ] {
        let errors = errors(&edited("vendored", "uv.lock", from, to));
        let found = errors.iter().find(|(rule, ..)| *rule == Rule::L05).map(|(_, code, _)| *code);
        assert_eq!(found, Some(code), "{from} → {to}: {errors:?}");
    }
}

/// A change of one file that leaves the lock stale: shape, file, from, to.
const STALE: [(&str, &str, &str, &str); 25] = [
    ("markers", "pyproject.toml", "Marker.Role", "Other.Role"),
    ("markers", "pyproject.toml", "version = \"0.1.0\"", "version = \"0.2.0\""),
    ("markers", "pyproject.toml", "requires-python = \">=3.11\"", "requires-python = \">=3.11,<4\""),
    ("markers", "pyproject.toml", "idna>=3.4,<4", "idna>=3.5,<4"),
    ("markers", "pyproject.toml", "idna>=3.4,<4", "idna"),
    ("markers", "pyproject.toml", "python_version < '3.13'", "python_version < '3.12'"),
    ("markers", "pyproject.toml", "sys_platform == 'win32'", "sys_platform == 'darwin'"),
    ("markers", "pyproject.toml", "    \"attrs ~= 24.2\",\n", ""),
    ("markers", "pyproject.toml", "    \"attrs ~= 24.2\",\n", "    \"attrs ~= 24.2\", \"rich\",\n"),
    ("markers", "pyproject.toml", "attrs ~= 24.2", "attrs[cov] ~= 24.2"),
    ("markers", "pyproject.toml", "attrs ~= 24.2", "attrs @ https://files.example.org/attrs-24.3.0-py3-none-any.whl"),
    ("markers", "pyproject.toml", "two = [\"marker-role[extra-one]\"]", "two = []"),
    ("markers", "pyproject.toml", "two = [", "three = ["),
    ("markers", "pyproject.toml", "packaging>=23", "packaging>=24"),
    ("markers", "pyproject.toml", "iniconfig>=2", "iniconfig>=1"),
    ("markers", "pyproject.toml", "empty = []\n", ""),
    ("markers", "pyproject.toml", ", { include-group = \"lint\" }", ""),
    ("markers", "uv.lock", "    { name = \"attrs\", specifier = \"~=24.2\" },\n", ""),
    ("workspace", "packages/beta/pyproject.toml", "[\"alpha\"]", "[\"alpha\", \"six\"]"),
    ("workspace", "packages/alpha/pyproject.toml", "name = \"alpha\"", "name = \"gamma\""),
    ("workspace", "pyproject.toml", "[\"six<2\"]", "[\"six<3\"]"),
    ("workspace", "pyproject.toml", "[\"idna==3.10\"]", "[]"),
    ("workspace", "pyproject.toml", "dev-dependencies = [\"pluggy\"]", "dev-dependencies = [\"pluggy>1\"]"),
    ("vendored", "pyproject.toml", "virt = { path = \"libs/virt\" }\n", ""),
    ("vendored", "libs/tool/pyproject.toml", "six>1,!=1.5", "six>1"),
];

#[test]
fn l06_a_lock_that_was_made_for_other_requirements_is_stale() {
    for (shape, file, from, to) in STALE {
        let errors = errors(&edited(shape, file, from, to));
        assert!(!errors.is_empty(), "{shape}/{file}: {from} → {to}");
        assert!(errors.iter().all(|(rule, ..)| *rule == Rule::L06), "{shape}/{file}: {from} → {to}: {errors:?}");
    }
    let [(_, code, excerpt)] = &errors(&edited("platforms", "pyproject.toml", "==3.0.2", "==3.0.1"))[..] else {
        panic!()
    };
    assert_eq!(*code, Code::RolePackageLockfileStale);
    assert_eq!(excerpt.as_deref(), Some("dependencies = [\"markupsafe==3.0.1\", \"pyyaml\"]"));
}

#[test]
fn l06_another_spelling_of_the_same_project_is_no_change() {
    for (shape, file, from, to) in [
        ("markers", "pyproject.toml", "Marker.Role", "marker_role"),
        ("markers", "pyproject.toml", "idna>=3.4,<4 ;", "IDNA (<4.0, >=3.4);"),
        ("markers", "pyproject.toml", "python_version < '3.13'", "'3.13' > python_version"),
        ("markers", "pyproject.toml", "platform_system == \\\"Windows\\\"", "sys_platform == 'win32'"),
        ("markers", "pyproject.toml", "requires-python = \">=3.11\"", "requires-python = \">= 3.11.0\""),
        ("markers", "pyproject.toml", "Extra_One", "\"Extra.One\""),
        ("markers", "pyproject.toml", "\"attrs ~= 24.2\",", "\"attrs ~= 24.2\", \"attrs~=24.2\","),
        ("markers", "uv.lock", "revision = 5\n", ""),
        ("markers", "pyproject.toml", "attrs ~= 24.2", "attrs >= 24.2, == 24.*"),
        ("vendored", "pyproject.toml", ">=3.11,!=3.12.*", ">=3.11"),
        ("platforms", "pyproject.toml", "requires-python = \"~=3.11\"", "requires-python = \">=3.11,<4\""),
        ("workspace", "packages/alpha/pyproject.toml", "[build-system]", "description = \"x\"\n[build-system]"),
    ] {
        assert_eq!(errors(&edited(shape, file, from, to)), [], "{shape}/{file}: {from} → {to}");
    }
}

#[test]
fn l07_a_project_that_excludes_python_3_11_is_refused_once() {
    for python in ["<3.11", ">=3.12", "==3.10.*"] {
        let edit = format!("requires-python = \"{python}\"");
        let both = text_of("markers", "uv.lock").replace("requires-python = \">=3.11\"", &edit);
        let package = edited("markers", "pyproject.toml", "requires-python = \">=3.11\"", &edit).file("uv.lock", both);
        let found: Vec<_> = errors(&package).into_iter().filter(|(rule, ..)| *rule == Rule::L07).collect();
        assert_eq!(found, [(Rule::L07, Code::RolePackagePythonIncompatible, Some(edit))]);
    }
}

#[test]
fn a_lock_within_the_limits_costs_little_however_it_is_built() {
    let header = "version = 1\nrequires-python = \">=3.11\"\n";
    let project = "[project]\nname = \"x\"\nversion = \"1\"\ndependencies = [";
    let limits = Limits { lockfile_bytes: 1024 * 1024, ..Limits::default() };
    for (project, lock) in [
        (project.to_owned() + "]", header.to_owned() + &"[[package]]\n".repeat(60_000)),
        (project.to_owned() + "]", header.to_owned() + "x = " + &"[".repeat(500_000)),
        (project.to_owned() + "]", header.to_owned() + &"a.".repeat(400_000) + "a = 1"),
        (
            project.to_owned() + &"\"a; os_name == 'nt'\",".repeat(10_000) + "]",
            header.to_owned()
                + "[[package]]\nname = \"x\"\nversion = \"1\"\nsource = { virtual = \".\" }\n[package.metadata]\n\
                   requires-dist = ["
                + &"{ name = \"a\", marker = \"os_name == 'posix'\" },".repeat(10_000)
                + "]",
        ),
    ] {
        let package = locked("markers").file("pyproject.toml", project).file("uv.lock", lock);
        let report = validate(package.build(), &limits, None).unwrap_err();
        assert!(report.issues.len() <= limits.issues);
    }
}
