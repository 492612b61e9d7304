//! The commands, as the real program runs them.

mod check;
mod pack;
mod publish;
mod server;
mod usage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The program in an environment that holds nothing but what a test says.
struct Program {
    command: Command,
}

/// How the program ended.
struct Ended {
    status: i32,
    stdout: String,
    stderr: String,
}

impl Program {
    fn new<const N: usize>(arguments: [&str; N]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_role-catalog"));
        // git is found on PATH; its identity comes from nowhere else.
        command.args(arguments).env_clear().env("PATH", env!("PATH"));
        Self { command }
    }

    fn argument(mut self, argument: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    fn variable(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    fn directory(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    fn run(mut self) -> Ended {
        let output = self.command.output().unwrap();
        Ended {
            status: output.status.code().expect("an exit status, not a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ended {
    #[track_caller]
    fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, status, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Stdout as the one JSON document that it holds.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in:\n{}", self.stdout))
    }
}

const MANIFEST: &str = r#"schema_version = 1
id = "tea-taster"
version = "0.1.0"
title = "Tea Taster"
summary = "Tastes teas with you and keeps notes."
kind = "role"
license = "free"
min_app_version = "0.1.57"

[state]
remembers_progress = true

[environment]
manager = "agotalk"
dependency_mode = "none"
"#;

/// A directory `tea-taster` below `parent` that is a valid package.
fn package_dir(parent: &Path) -> PathBuf {
    let dir = parent.join("tea-taster");
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("role.md"), "---\ntitle: \"Tea Taster\"\n---\n\nYou taste teas.\n").unwrap();
    fs::write(dir.join("agotalk.role.toml"), MANIFEST).unwrap();
    dir
}

/// The same directory, with one thing of its manifest changed.
fn package_dir_with(parent: &Path, from: &str, to: &str) -> PathBuf {
    assert!(MANIFEST.contains(from));
    let dir = package_dir(parent);
    fs::write(dir.join("agotalk.role.toml"), MANIFEST.replace(from, to)).unwrap();
    dir
}

/// The names of an object's keys, sorted.
fn keys(object: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}
