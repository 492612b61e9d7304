//! What holds for every command.

use super::*;

#[test]
fn help_is_data_and_a_usage_error_is_not() {
    let help = Program::new(["--help"]).run().expect(0);
    for command in ["serve", "check", "pack", "publish", "token", "healthcheck"] {
        assert!(help.stdout.contains(command), "{command}");
    }
    assert_eq!(help.stderr, "");
    for line in [&["no-such-command"][..], &["check"], &["check", "--no-such-flag"], &["token", "revoke", "x"]] {
        let mut program = Program::new([]);
        program.command.args(line);
        let ended = program.run().expect(2);
        assert_eq!(ended.stdout, "");
        assert!(ended.stderr.contains("error"), "{}", ended.stderr);
    }
}

#[test]
fn settings_that_cannot_be_read_stop_a_command_by_name() {
    let ended = Program::new(["serve"])
        .variable("ROLE_CATALOG_BIND", "nonsense")
        .variable("AGOTALK_ROLE_R2_BUCKET", "roles")
        .variable("CLOUDFLARE_R2_SECRET_ACCESS_KEY", "hush-hush")
        .run()
        .expect(2);
    for name in
        ["ROLE_CATALOG_BIND", "CLOUDFLARE_ACCOUNT_ID", "AGOTALK_ROLE_S3_ENDPOINT", "CLOUDFLARE_R2_ACCESS_KEY_ID"]
    {
        assert!(ended.stderr.contains(name), "{name} in:\n{}", ended.stderr);
    }
    assert!(!ended.stderr.contains("hush-hush"));
}

#[test]
fn a_log_filter_or_format_that_does_not_parse_is_a_usage_error() {
    Program::new(["healthcheck", "--log", "role_catalog=loud"]).run().expect(2);
    let ended = Program::new(["healthcheck"]).variable("ROLE_CATALOG_LOG_FORMAT", "xml").run().expect(2);
    assert!(ended.stderr.contains("ROLE_CATALOG_LOG_FORMAT"), "{}", ended.stderr);
}

#[test]
fn a_reader_that_stops_early_is_no_fault() {
    let temp = tempfile::tempdir().unwrap();
    let dir = package_dir(temp.path());
    let mut program = Program::new(["check", "--json"]).argument(&dir);
    program.command.stdout(std::process::Stdio::piped());
    let mut child = program.command.spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
