//! The layers and fences of the architecture page, read off the source.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const LAYERS: &[(&str, u8)] = &[
    ("domain", 0),
    ("package", 1),
    ("i18n", 1),
    ("config", 1),
    ("telemetry", 1),
    ("projection", 2),
    ("folder", 2),
    ("storage", 3),
    ("catalog", 4),
    ("publish", 5),
    ("web", 6),
    ("client", 6),
    ("ops", 6),
    ("cli", 7),
];

/// A library and the only places that may name it.
const FENCES: &[(&str, &[&str])] = &[
    ("axum::", &["web/", "cli/serve.rs"]),
    ("sqlx::", &["catalog/"]),
    ("aws_sdk_s3", &["storage/s3"]),
    ("zip::", &["package/"]),
    ("println!", &["cli/output"]),
    ("eprintln!", &["cli/output"]),
];

fn sources() -> BTreeMap<String, String> {
    fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    walk(&root, &mut found);
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    found.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

/// The code of a file: no comments, and nothing after its unit tests begin.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take_while(|line| line.trim() != "#[cfg(test)]").filter(|line| !line.trim_start().starts_with("//"))
}

fn layer(module: &str) -> u8 {
    LAYERS.iter().find(|(name, _)| *name == module).unwrap_or_else(|| panic!("{module} has no layer")).1
}

#[test]
fn modules_import_only_from_lower_layers() {
    let mut edges = 0;
    for (file, text) in sources() {
        let Some(module) = file.split(['/', '.']).next().filter(|module| !matches!(*module, "lib" | "main")) else {
            continue;
        };
        for line in code(&text) {
            for target in line.split("crate::").skip(1) {
                let target: String = target.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if target.is_empty() || target == module {
                    continue;
                }
                edges += 1;
                assert!(layer(&target) < layer(module), "{file} imports {target}: {line}");
            }
        }
    }
    assert!(edges > 50, "only {edges} imports were seen: does the reading still work?");
}

#[test]
fn libraries_stay_behind_their_fences() {
    for (file, text) in sources() {
        for (library, places) in FENCES {
            if places.iter().any(|place| file.starts_with(place)) {
                continue;
            }
            let outside = code(&text).find(|line| {
                line.split(library).next().is_some_and(|before| {
                    line.contains(library) && !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                })
            });
            assert_eq!(outside, None, "{file} names {library}");
        }
        let module = file.split(['/', '.']).next().unwrap();
        if LAYERS.iter().any(|(name, layer)| *name == module && *layer < 2) {
            assert!(!code(&text).any(|line| line.contains("tokio::")), "{file} names tokio");
        }
    }
}
