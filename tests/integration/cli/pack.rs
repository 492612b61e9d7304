//! `pack`.

use std::net::TcpListener;

use super::*;

#[test]
fn the_same_directory_gives_the_same_bytes_every_time() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    let first =
        Program::new(["pack", "tea-taster", "--skip-remote", "--json"]).directory(temp.path()).run().expect(0).json();
    let bytes = fs::read(temp.path().join("tea-taster-0.1.0.zip")).unwrap();

    // Another time of change and another order in the directory are no other package.
    let manifest = fs::read(dir.join("agotalk.role.toml")).unwrap();
    fs::remove_file(dir.join("agotalk.role.toml")).unwrap();
    fs::write(dir.join("agotalk.role.toml"), manifest).unwrap();
    let second =
        Program::new(["pack", "tea-taster", "--skip-remote", "--json", "-o", "other.zip"]).directory(temp.path());
    assert_eq!(second.run().expect(0).json(), first);
    assert_eq!(fs::read(temp.path().join("other.zip")).unwrap(), bytes);
}

#[test]
fn the_answer_says_what_was_packed() {
    let temp = tempfile::tempdir().unwrap();
    package_dir(temp.path());
    let packed =
        Program::new(["pack", "tea-taster", "--skip-remote", "--json"]).directory(temp.path()).run().expect(0).json();
    assert_eq!(
        keys(&packed),
        ["dependencyMode", "lockfiles", "outcome", "roleId", "sha256", "sizeBytes", "version", "warnings"]
    );
    assert_eq!(packed["roleId"], "tea-taster");
    assert_eq!(packed["dependencyMode"], "none");
    assert_eq!(packed["lockfiles"], serde_json::json!([]));
    assert_eq!(packed["outcome"], Value::Null);
    let zip = fs::read(temp.path().join("tea-taster-0.1.0.zip")).unwrap();
    assert_eq!(packed["sizeBytes"], zip.len());
    assert_eq!(packed["sha256"], role_catalog::domain::Sha256Digest::of(&zip).to_string());
}

#[test]
fn a_refused_package_is_not_packed() {
    let temp = tempfile::tempdir().unwrap();
    package_dir_with(temp.path(), "version = \"0.1.0\"", "version = \"one\"");
    let ended = Program::new(["pack", "tea-taster", "--skip-remote", "--json"]).directory(temp.path()).run().expect(1);
    assert_eq!(ended.json()["code"], "ROLE_CONTRACT_FIELD_INVALID");
    let left: Vec<_> = fs::read_dir(temp.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["tea-taster"]);
}

#[test]
fn the_zip_never_lands_inside_the_package() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    let ended = Program::new(["pack", ".", "--skip-remote"]).directory(&dir).run().expect(2);
    assert!(ended.stderr.contains("inside the package"), "{}", ended.stderr);
    assert!(!dir.join("tea-taster-0.1.0.zip").exists());
}

#[test]
fn a_minimum_app_version_that_contradicts_the_manifest_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    package_dir(temp.path());
    let ended = Program::new(["pack", "tea-taster", "--skip-remote", "--min-app-version", "0.2.0", "--json"])
        .directory(temp.path())
        .run()
        .expect(1);
    assert_eq!(ended.json()["error"]["code"], "ROLE_PUBLISH_CATALOG_CONFLICT");
}

#[test]
fn without_the_catalog_the_zip_is_written_and_the_comparison_fails_with_status_2() {
    let temp = tempfile::tempdir().unwrap();
    package_dir(temp.path());
    // A port that was just free and that nobody listens on.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let ended = Program::new(["pack", "tea-taster"])
        .directory(temp.path())
        .variable("AGOTALK_ROLE_PUBLIC_ORIGIN", format!("http://{address}"))
        .run()
        .expect(2);
    assert!(ended.stderr.contains("--skip-remote"), "{}", ended.stderr);
    assert!(temp.path().join("tea-taster-0.1.0.zip").exists());
}
