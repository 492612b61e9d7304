//! `uv.lock` as uv writes it (rules L03 to L05).
//!
//! The format has been version 1 since it exists; later revisions only add keys, which are ignored here as uv ignores
//! them. One `[[package]]` is either something to download, with artifacts and their digests, or a source tree inside
//! the package: the project itself, a workspace member, a directory.

use std::collections::BTreeMap;
use std::str::FromStr as _;

use pep440_rs::Version;
use toml::de::{DeTable, DeValue};

use super::artifact;
use super::document::{Reporter, get, items, normalized_name, table, text};
use super::python::RequiresPython;
use crate::domain::{Code, Issue, Rule};
use crate::package::archive::Archive;
use crate::package::paths::{Target, resolve};

/// What could be read of a lock.
#[derive(Debug)]
pub(super) struct Lock<'d> {
    /// With its place.
    pub(super) requires_python: Option<(RequiresPython, usize)>,
    pub(super) packages: Vec<Package<'d>>,
    /// The `[manifest]` table: members, constraints, overrides.
    pub(super) manifest: Option<&'d DeTable<'d>>,
}

/// One `[[package]]` with a name and a source.
#[derive(Debug)]
pub(super) struct Package<'d> {
    /// Normalized.
    pub(super) name: String,
    pub(super) version: Option<Version>,
    pub(super) source: Source<'d>,
    pub(super) table: &'d DeTable<'d>,
    /// Where it begins.
    pub(super) offset: usize,
}

/// Where a locked package comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source<'d> {
    /// An index, or a directory of wheels.
    Registry(&'d str),
    /// A direct URL.
    Url(&'d str),
    /// A repository.
    Git,
    /// A wheel or source archive in the package.
    File(&'d str),
    /// A source tree in the package: `editable`, `virtual` or `directory`.
    Tree(&'d str),
}

impl Source<'_> {
    /// Whether it is the project at the package root.
    pub(super) fn is_root(self) -> bool {
        matches!(self, Self::Tree(path) if path.split('/').all(|segment| matches!(segment, "" | ".")) && path != "/")
    }
}

/// A fault of rule L03.
pub(super) fn fault(message: String) -> Issue {
    const HINT: &str = "write it again with uv lock; uv.lock is never edited by hand";
    Issue::error(Rule::L03, Code::RolePackageLockfileMalformed, message).hint(HINT)
}

impl<'d> Lock<'d> {
    /// Reads a lock and reports every fault in it.
    pub(super) fn read(root: &'d DeTable<'d>, archive: &Archive, reporter: &mut Reporter<'_>) -> Self {
        check_version(root, reporter);
        let requires_python = requires_python(root, reporter);
        let mut packages = Vec::new();
        match get(root, "package") {
            Some((DeValue::Array(entries), _)) if !entries.is_empty() => {
                for entry in entries {
                    let offset = entry.span().start;
                    match entry.get_ref().as_table() {
                        Some(table) => packages.extend(package(table, offset, archive, reporter)),
                        None => reporter.report(fault("each package must be a [[package]] table".to_owned()), offset),
                    }
                }
                check_graph(&packages, reporter);
                if !packages.iter().any(|package| package.source.is_root()) {
                    let message = "uv.lock does not hold the project itself: no package has the source { virtual = \
                                   \".\" } or { editable = \".\" }";
                    reporter.report(fault(message.to_owned()), 0);
                }
            }
            found => {
                let offset = found.map_or(0, |(_, offset)| offset);
                reporter.report(fault("uv.lock has no [[package]], not even the project itself".to_owned()), offset);
            }
        }
        Self { requires_python, packages, manifest: table(root, "manifest") }
    }
}

fn check_version(root: &DeTable<'_>, reporter: &mut Reporter<'_>) {
    const KNOWN: i64 = 1;
    let integer = |value: &DeValue<'_>| {
        value.as_integer().and_then(|integer| i64::from_str_radix(integer.as_str(), integer.radix()).ok())
    };
    match get(root, "version") {
        None => reporter.report(fault("uv.lock has no version".to_owned()), 0),
        Some((value, offset)) => match integer(value) {
            Some(KNOWN) => {}
            Some(other) => reporter.report(fault(format!("uv.lock has version {other}, and only 1 is known")), offset),
            None => reporter.report(fault("the version of uv.lock must be an integer".to_owned()), offset),
        },
    }
    if let Some((value, offset)) = get(root, "revision")
        && integer(value).is_none_or(|revision| revision < 0)
    {
        reporter.report(fault("the revision of uv.lock must be an integer".to_owned()), offset);
    }
}

fn requires_python(root: &DeTable<'_>, reporter: &mut Reporter<'_>) -> Option<(RequiresPython, usize)> {
    let Some((value, offset)) = get(root, "requires-python") else {
        reporter.report(fault("uv.lock has no requires-python".to_owned()), 0);
        return None;
    };
    let parsed = value.as_str().and_then(RequiresPython::parse);
    if parsed.is_none() {
        reporter.report(fault("requires-python of uv.lock must be a version specifier".to_owned()), offset);
    }
    Some((parsed?, offset))
}

fn package<'d>(
    entry: &'d DeTable<'d>,
    offset: usize,
    archive: &Archive,
    reporter: &mut Reporter<'_>,
) -> Option<Package<'d>> {
    let Some(name) = text(entry, "name").and_then(normalized_name) else {
        reporter.report(fault("a package of uv.lock has no name".to_owned()), offset);
        return None;
    };
    let source = match get(entry, "source") {
        None => {
            reporter.report(fault(format!("{name} has no source in uv.lock")), offset);
            None
        }
        Some((value, offset)) => {
            let source = value.as_table().and_then(source);
            if source.is_none() {
                reporter.report(fault(format!("the source of {name} is none that uv writes")), offset);
            }
            source
        }
    };
    let version = match get(entry, "version") {
        // A source tree may compute its version only when it is built.
        None if !matches!(source, Some(Source::Tree(_))) => {
            reporter.report(fault(format!("{name} has no version in uv.lock")), offset);
            None
        }
        None => None,
        Some((value, offset)) => {
            let version = value.as_str().and_then(version);
            if version.is_none() {
                reporter.report(fault(format!("the version of {name} is no Python version")), offset);
            }
            version
        }
    };
    let package = Package { name, version, source: source?, table: entry, offset };
    check_source(&package, archive, reporter);
    artifact::check(&package, archive, reporter);
    Some(package)
}

/// A version as PEP 440 writes it.
pub(super) fn version(text: &str) -> Option<Version> {
    const MAX_BYTES: usize = 200;
    if text.len() > MAX_BYTES { None } else { Version::from_str(text).ok() }
}

fn source<'d>(table: &'d DeTable<'d>) -> Option<Source<'d>> {
    let tree = || ["directory", "editable", "virtual"].into_iter().find_map(|key| text(table, key)).map(Source::Tree);
    (text(table, "registry").map(Source::Registry))
        .or_else(|| text(table, "url").map(Source::Url))
        .or_else(|| text(table, "git").map(|_| Source::Git))
        .or_else(|| text(table, "path").map(Source::File))
        .or_else(tree)
}

/// Rule L05, and that a git source is refused (L04).
fn check_source(package: &Package<'_>, archive: &Archive, reporter: &mut Reporter<'_>) {
    let name = &package.name;
    let offset = get(package.table, "source").map_or(package.offset, |(_, offset)| offset);
    match package.source {
        Source::Git => {
            let message = format!("{name} comes from a git repository, which has no digest to verify");
            let hint = "depend on a released version, or ship a wheel inside the package";
            reporter.report(artifact::hash_fault(message).hint(hint), offset);
        }
        Source::Registry(url) | Source::Url(url) if is_remote(url) => {}
        // Of a directory of wheels, each wheel is looked at.
        Source::Registry(path) => {
            if resolve(archive, path) == Target::Outside {
                reporter.report(outside(name, path), offset);
            }
        }
        Source::Url(path) => reporter.report(outside(name, path), offset),
        Source::File(path) => match resolve(archive, path) {
            Target::File(_) => {}
            Target::Outside => reporter.report(outside(name, path), offset),
            Target::Missing(_) | Target::NotFile => reporter.report(absent(name, path, "file"), offset),
        },
        Source::Tree(path) => match resolve(archive, path) {
            Target::NotFile => {}
            Target::Outside => reporter.report(outside(name, path), offset),
            Target::Missing(_) | Target::File(_) => reporter.report(absent(name, path, "directory"), offset),
        },
    }
}

/// Whether it is fetched over the network rather than from this machine.
fn is_remote(url: &str) -> bool {
    url.split_once("://").is_some_and(|(scheme, rest)| {
        matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") && !rest.is_empty()
    })
}

/// A path that leaves the package (rule L05).
pub(super) fn outside(name: &str, path: &str) -> Issue {
    let message = format!("{name} comes from {:?}, which is outside the package", shortened(path));
    Issue::error(Rule::L05, Code::RolePackagePathOutsideRoot, message)
        .hint("copy it into the package, refer to it by a relative path, and run uv lock")
}

/// A path that leads to nothing (rule L05).
pub(super) fn absent(name: &str, path: &str, what: &str) -> Issue {
    let message = format!("{name} comes from the {what} {:?}, which is not in the package", shortened(path));
    Issue::error(Rule::L05, Code::RolePackageLockfileSourceMissing, message).hint("ship it with the package")
}

/// That no package is there twice and that each dependency is there: uv reads no other lock (rule L03).
fn check_graph(packages: &[Package<'_>], reporter: &mut Reporter<'_>) {
    let mut by_name: BTreeMap<&str, Vec<&Package<'_>>> = BTreeMap::new();
    for package in packages {
        by_name.entry(&package.name).or_default().push(package);
    }
    for same_name in by_name.values_mut() {
        same_name.sort_by_key(|package| (package.version.clone(), package.offset));
        for (first, second) in same_name.iter().zip(same_name.iter().skip(1)) {
            if (&first.version, first.source) == (&second.version, second.source) {
                reporter.report(fault(format!("{} is in uv.lock twice", second.name)), second.offset);
            }
        }
    }
    for package in packages {
        let groups =
            ["optional-dependencies", "dev-dependencies"].into_iter().filter_map(|key| table(package.table, key));
        let in_groups = groups.flat_map(|group| group.keys().flat_map(|key| items(group, key.get_ref())));
        for (dependency, offset) in items(package.table, "dependencies").chain(in_groups) {
            let Some(name) = dependency.as_table().and_then(|table| text(table, "name")).and_then(normalized_name)
            else {
                reporter.report(fault(format!("a dependency of {} has no name", package.name)), offset);
                continue;
            };
            let wanted = dependency.as_table().and_then(|table| text(table, "version")).and_then(version);
            let has_version = |candidate: &&Package<'_>| wanted.is_none() || candidate.version == wanted;
            if !by_name.get(name.as_str()).is_some_and(|candidates| candidates.iter().any(has_version)) {
                let message = format!("{} depends on {name}, which uv.lock does not hold", package.name);
                reporter.report(fault(message), offset);
            }
        }
    }
}

/// A text from the package in a message: not all of a megabyte.
pub(super) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 200;
    text.chars().take(MAX_CHARS).collect()
}
