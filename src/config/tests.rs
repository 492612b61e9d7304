//! Settings, as tables of what is given and what comes out.

use std::net::SocketAddr;
use std::time::Duration;

use strum::IntoEnumIterator as _;

use super::*;

const R2: [(Variable, &str); 4] = [
    (Variable::AccountId, "0a1b2c3d"),
    (Variable::AccessKeyId, "key-id"),
    (Variable::SecretAccessKey, "very-secret"),
    (Variable::Bucket, "agotalk-roles"),
];

fn load(variables: &[(Variable, &str)]) -> Result<Config, String> {
    Config::load(&ServerFlags::default(), &Environment::of(variables)).map_err(|error| error.to_string())
}

#[test]
fn nothing_set_means_the_documented_defaults() {
    let config = load(&[]).unwrap();
    assert_eq!(config.bind.to_string(), "127.0.0.1:8080");
    assert_eq!(config.data_dir, std::path::Path::new("data"));
    assert_eq!(config.object_store, None);
    assert_eq!(config.limits, Limits::default());
    assert_eq!(config.server, ServerLimits::default());
    assert_eq!(config.site.origin(config.bind).to_string(), "http://127.0.0.1:8080");
}

#[test]
fn a_flag_wins_over_the_environment_which_wins_over_the_default() {
    let environment = Environment::of(&[(Variable::Bind, "[::1]:9"), (Variable::DataDir, "/srv/roles")]);
    let flags = ServerFlags { bind: Some("127.0.0.1:7".parse().unwrap()), ..ServerFlags::default() };
    let config = Config::load(&flags, &environment).unwrap();
    assert_eq!(config.bind.to_string(), "127.0.0.1:7");
    assert_eq!(config.data_dir, std::path::Path::new("/srv/roles"));
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let empty: Vec<_> = Variable::iter().map(|variable| (variable, "")).collect();
    let config = load(&empty).unwrap();
    assert_eq!(config.bind, DEFAULT_BIND);
    assert_eq!(config.object_store, None);
}

#[test]
fn the_object_store_is_configured_whole_by_account_or_by_endpoint() {
    let by_account = load(&R2).unwrap().object_store.unwrap();
    assert_eq!(by_account.endpoint.to_string(), "https://0a1b2c3d.r2.cloudflarestorage.com");
    assert_eq!(by_account.bucket, "agotalk-roles");
    assert_eq!(by_account.secret_access_key.reveal(), "very-secret");

    let mut by_endpoint = R2;
    by_endpoint[0] = (Variable::S3Endpoint, "http://127.0.0.1:9000");
    assert_eq!(load(&by_endpoint).unwrap().object_store.unwrap().endpoint.to_string(), "http://127.0.0.1:9000");
}

#[test]
fn every_partial_object_store_is_refused_by_the_names_that_are_missing() {
    for present in 1..15_u8 {
        let is_present = |index: usize| present & (1 << index) != 0;
        let given: Vec<_> = (0..4).filter(|index| is_present(*index)).map(|index| R2[index]).collect();
        let error = load(&given).unwrap_err();
        for (index, (variable, value)) in R2.iter().enumerate() {
            assert_eq!(error.contains(variable.name()), !is_present(index), "{error}");
            assert!(!error.contains(value), "{error}");
        }
    }
}

#[test]
fn all_faults_are_told_at_once_and_no_value_is_repeated() {
    let error = load(&[
        (Variable::Bind, "localhost"),
        (Variable::PublicOrigin, "ftp://s3cr3t"),
        (Variable::MaxZipBytes, "much"),
        (Variable::Bucket, "b"),
    ])
    .unwrap_err();
    for expected in ["ROLE_CATALOG_BIND", "AGOTALK_ROLE_PUBLIC_ORIGIN", "ROLE_CATALOG_MAX_ZIP_BYTES", "in part"] {
        assert!(error.contains(expected), "{expected} in:\n{error}");
    }
    assert!(!error.contains("s3cr3t"), "{error}");
}

#[test]
fn limits_are_read_in_readable_units() {
    let config = load(&[
        (Variable::MaxZipBytes, "128 MiB"),
        (Variable::MaxEntries, "20"),
        (Variable::MaxValidations, "9"),
        (Variable::UploadTimeout, "2m"),
    ])
    .unwrap();
    assert_eq!(config.limits.zip_bytes, 128 << 20);
    assert_eq!(config.limits.entries, 20);
    assert_eq!(config.server.validations, 9);
    assert_eq!(config.server.upload_timeout, Duration::from_mins(2));
    for (variable, bad) in [
        (Variable::MaxZipBytes, "0"),
        (Variable::MaxEntries, "0"),
        (Variable::UploadTimeout, "-5s"),
        (Variable::MaxRatio, "x"),
    ] {
        assert!(load(&[(variable, bad)]).unwrap_err().contains(variable.name()), "{variable}={bad}");
    }
}

#[test]
fn secrets_do_not_show_in_debug_output() {
    let config = load(&R2).unwrap();
    assert!(!format!("{config:?}").contains("very-secret"));
}

#[test]
fn origins_are_scheme_host_and_port_alone() {
    let origin = |text: &str| text.parse::<Origin>().map(|origin| origin.to_string());
    for (given, read) in [
        ("https://roles.agotalk.com", "https://roles.agotalk.com"),
        ("https://Roles.Agotalk.com/", "https://roles.agotalk.com"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ] {
        assert_eq!(origin(given).unwrap(), read);
    }
    for bad in [
        "",
        "roles.agotalk.com",
        "ftp://roles.agotalk.com",
        "https://roles.agotalk.com/path",
        "https://roles.agotalk.com?x",
        "https://roles.agotalk.com#x",
        "https://user:pass@roles.agotalk.com",
        "https://roles.agotalk.com:port",
        "https://roles.agotalk.com:99999",
        "https://",
        "javascript:alert(1)",
    ] {
        assert!(origin(bad).is_err(), "{bad}");
    }
}

#[test]
fn only_this_machine_is_loopback() {
    let is_loopback = |text: &str| text.parse::<Origin>().unwrap().is_loopback();
    for here in ["http://localhost:8080", "http://127.0.0.1", "http://127.8.8.8:1", "http://[::1]:8080"] {
        assert!(is_loopback(here), "{here}");
    }
    for away in ["http://localhost.example.com", "http://127.0.0.1.example.com", "http://10.0.0.1", "http://0.0.0.0"] {
        assert!(!is_loopback(away), "{away}");
    }
}

#[test]
fn an_address_for_every_interface_is_reached_as_localhost() {
    let address: SocketAddr = "0.0.0.0:8080".parse().unwrap();
    assert_eq!(Origin::of_address(address).to_string(), "http://localhost:8080");
}

#[test]
fn app_links_keep_to_harmless_schemes_and_known_places() {
    let template: AppLinkTemplate = "agotalk://roles/{roleId}?version={version}".parse().unwrap();
    let link = template.link(&"words-john".parse().unwrap(), &"1.0.0+b".parse().unwrap());
    assert_eq!(link, "agotalk://roles/words-john?version=1.0.0%2Bb");
    for bad in
        ["", "{roleId}", "agotalk://roles", "javascript:open('{roleId}')", "agotalk://{role}/{roleId}", "a b:{roleId}"]
    {
        assert!(bad.parse::<AppLinkTemplate>().is_err(), "{bad}");
    }
}

/// The example, as `(name, value)` lines.
fn example() -> Vec<(&'static str, &'static str)> {
    include_str!("../../.env.example")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .collect()
}

#[test]
fn the_example_file_lists_exactly_the_variables_there_are() {
    let mut listed: Vec<_> = example().into_iter().map(|(name, _)| name).collect();
    let mut known: Vec<_> = Variable::iter().map(Variable::name).collect();
    listed.sort_unstable();
    known.sort_unstable();
    assert_eq!(listed, known);
}

#[test]
fn the_example_file_holds_the_defaults() {
    let value_of = |variable: Variable| example().into_iter().find(|(name, _)| *name == variable.name()).unwrap().1;
    let given: Vec<_> = Variable::iter().map(|variable| (variable, value_of(variable))).collect();
    assert_eq!(format!("{:?}", load(&given).unwrap()), format!("{:?}", load(&[]).unwrap()));
}

#[test]
fn the_readme_names_every_setting() {
    let readme = include_str!("../../README.md");
    for variable in Variable::iter().filter(|variable| *variable != Variable::NoColor) {
        let flag = variable
            .name()
            .strip_prefix("ROLE_CATALOG_")
            .map(|name| format!("--{}", name.to_lowercase().replace('_', "-")));
        assert!(readme.contains(variable.name()) || flag.is_some_and(|flag| readme.contains(&flag)), "{variable}");
    }
}
