//! `publish`, before and without a server.

use role_catalog::domain::TokenSecret;

use super::*;

fn publish(dir: &Path) -> Program {
    Program::new(["publish", "--json"])
        .argument(dir)
        .variable("AGOTALK_ROLE_PUBLISH_TOKEN", TokenSecret::generate().reveal())
        // Whoever reaches the network here would hang or fail in another way.
        .variable("AGOTALK_ROLE_PUBLIC_ORIGIN", "http://127.0.0.1:1")
}

fn git(dir: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=Tea", "-c", "user.email=tea@example.com", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").arg("-C").arg(dir).args(identity).args(arguments).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn repository(parent: &Path) -> PathBuf {
    let dir = package_dir(parent);
    git(parent, &["init", "--quiet"]);
    git(parent, &["add", "."]);
    git(parent, &["commit", "--quiet", "--message", "A role"]);
    dir
}

#[test]
fn publishing_needs_a_token_that_can_be_one() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    let ended = Program::new(["publish", "--json"]).argument(&dir).run().expect(1);
    assert_eq!(ended.json()["error"]["code"], "ROLE_PUBLISH_AUTH_MISSING");
    let ended = publish(&dir).variable("AGOTALK_ROLE_PUBLISH_TOKEN", "agr_typing-error").run().expect(1);
    assert_eq!(ended.json()["error"]["code"], "ROLE_PUBLISH_AUTH_MISSING");
    assert!(!ended.stdout.contains("typing-error") && !ended.stderr.contains("typing-error"));
}

#[test]
fn a_token_does_not_travel_in_the_clear() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    let ended = publish(&dir).variable("AGOTALK_ROLE_PUBLIC_ORIGIN", "http://roles.example.com").run().expect(2);
    assert!(ended.stderr.contains("token is not sent"), "{}", ended.stderr);
}

#[test]
fn a_changed_or_untracked_file_below_the_package_stops_it() {
    let temp = tempfile::tempdir().unwrap();
    let dir = repository(temp.path());
    for (file, content) in [("skills/new.md", "Untracked.\n"), ("role.md", "Changed.\n")] {
        fs::create_dir_all(dir.join("skills")).unwrap();
        fs::write(dir.join(file), content).unwrap();
        let error = publish(&dir).run().expect(1).json();
        assert_eq!(error["error"]["code"], "ROLE_PUBLISH_DIRTY_TREE");
        assert_eq!(error["error"]["message"], "Role package subtree has uncommitted changes");
        assert!(error["error"]["hint"].as_str().unwrap().contains(file), "{error}");
        git(temp.path(), &["add", "."]);
        git(temp.path(), &["commit", "--quiet", "--message", "More"]);
    }
}

#[test]
fn changes_beside_the_package_do_not_stop_it() {
    let temp = tempfile::tempdir().unwrap();
    let dir = repository(temp.path());
    fs::write(temp.path().join("notes.txt"), "Not part of the role.\n").unwrap();
    // It gets as far as the network.
    let ended = publish(&dir).run().expect(2);
    assert!(ended.stderr.contains("did not answer"), "{}", ended.stderr);
}

#[test]
fn a_hook_s_repository_is_not_mistaken_for_the_package_s() {
    let temp = tempfile::tempdir().unwrap();
    let dir = repository(temp.path());
    fs::write(dir.join("role.md"), "Changed.\n").unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    git(elsewhere.path(), &["init", "--quiet"]);
    let ended = publish(&dir).variable("GIT_DIR", elsewhere.path().join(".git")).run().expect(1);
    assert_eq!(ended.json()["error"]["code"], "ROLE_PUBLISH_DIRTY_TREE");
}

#[test]
fn outside_git_there_is_a_note() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    let ended = publish(&dir).run().expect(2);
    assert!(ended.stderr.contains("not in a git work tree"), "{}", ended.stderr);
}

#[test]
fn a_refused_package_never_reaches_the_catalog() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir_with(temp.path(), "license = \"free\"", "license = \"MIT\"");
    let json = publish(&dir).run().expect(1).json();
    assert_eq!((&json["valid"], &json["code"]), (&false.into(), &"ROLE_CONTRACT_FIELD_INVALID".into()));
}
