//! `check`.

use super::*;

#[test]
fn a_valid_directory_is_told_so_with_status_0() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    let ended = Program::new(["check"]).argument(&dir).run().expect(0);
    assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("tea-taster 0.1.0 is valid\n", ""));

    let json = Program::new(["check", "--json"]).argument(&dir).run().expect(0).json();
    assert_eq!(keys(&json), ["code", "issues", "omitted", "roleId", "valid", "version"]);
    assert_eq!(json["valid"], true);
    assert_eq!(json["roleId"], "tea-taster");
    assert_eq!(json["version"], "0.1.0");
    assert_eq!(json["code"], Value::Null);
    assert_eq!(json["issues"], serde_json::json!([]));
}

#[test]
fn the_directory_may_be_the_current_one() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    Program::new(["check", "."]).directory(&dir).run().expect(0);
}

#[test]
fn a_refused_package_is_reported_like_a_compiler_does_with_status_1() {
    let temp = tempfile::tempdir().unwrap();
    package_dir_with(temp.path(), "license = \"free\"", "license = \"MIT\"");
    let ended = Program::new(["check", "tea-taster"]).directory(temp.path()).run().expect(1);
    insta::assert_snapshot!(ended.stdout, @r#"
    error[ROLE_CONTRACT_FIELD_INVALID]: license must equal "free"
     --> tea-taster/agotalk.role.toml:7:11
      |
    7 | license = "MIT"
      |           ^
      |
      = help: license = "free"
      = note: https://roles.agotalk.com/docs/errors/ROLE_CONTRACT_FIELD_INVALID

    tea-taster 0.1.0 is refused: 1 error
    "#);
    assert_eq!(ended.stderr, "");

    let json = Program::new(["check", "tea-taster", "--json"]).directory(temp.path()).run().expect(1).json();
    assert_eq!(json["valid"], false);
    assert_eq!(json["code"], "ROLE_CONTRACT_FIELD_INVALID");
    let issue = &json["issues"][0];
    assert_eq!(issue["path"], "agotalk.role.toml");
    assert_eq!((&issue["line"], &issue["column"]), (&7.into(), &11.into()));
    assert_eq!(issue["docs"], "/docs/errors/ROLE_CONTRACT_FIELD_INVALID");
}

#[test]
fn problems_of_the_directory_and_of_its_files_are_reported_together() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir_with(temp.path(), "kind = \"role\"", "kind = \"robot\"");
    fs::write(dir.join(".DS_Store"), "").unwrap();
    let json = Program::new(["check", "--json"]).argument(&dir).run().expect(1).json();
    let rules: Vec<_> =
        json["issues"].as_array().unwrap().iter().map(|issue| issue["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["A08", "M08"]);
}

#[test]
fn a_zip_is_checked_as_it_is() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    let zip = temp.path().join("packed.zip");
    Program::new(["pack", "--skip-remote"]).argument(&dir).argument("--output").argument(&zip).run().expect(0);
    Program::new(["check"]).argument(&zip).run().expect(0);

    fs::write(&zip, "this is no zip").unwrap();
    let json = Program::new(["check", "--json"]).argument(&zip).run().expect(1).json();
    assert_eq!(json["code"], "ROLE_PACKAGE_ARCHIVE_INVALID");
}

#[test]
fn importing_needs_no_manifest_and_publishing_does() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    fs::remove_file(dir.join("agotalk.role.toml")).unwrap();
    Program::new(["check", "--for", "import"]).argument(&dir).run().expect(0);
    let json = Program::new(["check", "--json"]).argument(&dir).run().expect(1).json();
    assert_eq!(json["code"], "ROLE_PACKAGE_MANIFEST_MISSING");
}

#[test]
fn the_minimum_app_version_may_come_from_the_command_line() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir_with(temp.path(), "min_app_version = \"0.1.57\"\n", "");
    let json = Program::new(["check", "--json"]).argument(&dir).run().expect(1).json();
    assert_eq!(json["code"], "ROLE_PUBLISH_MIN_APP_VERSION_MISSING");
    Program::new(["check", "--min-app-version", "0.1.57"]).argument(&dir).run().expect(0);
}

#[test]
fn what_is_not_there_is_a_fault_with_status_2() {
    let ended = Program::new(["check", "no/such/package", "--json"]).run().expect(2);
    assert!(ended.stderr.contains("no/such/package"), "{}", ended.stderr);
    assert_eq!(keys(&ended.json()), ["error"]);
    let ended = Program::new(["check", "/dev/null"]).run().expect(2);
    assert_eq!(ended.stdout, "");
}
