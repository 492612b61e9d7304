//! Whether the lock was made for this project (rule L06), decided as `uv lock --check` does: what `pyproject.toml`
//! requires now is compared with what the lock says it required when it was made.
//!
//! Where the comparison would need more than the package's files (a build, a choice of several sources), it says
//! nothing: a lock is called stale only when it is.

use std::collections::BTreeSet;

use toml::de::DeTable;

use super::artifact::metadata;
use super::document::{ByName, Document, Reporter, items, normalized_name, table, text};
use super::marker::Comparer;
use super::project::{Placed, Project, Sources};
use super::requirement::{Origin, Requirement, admit_the_same};
use super::uv_lock::{Lock, Package, Source};
use crate::domain::{Code, Issue, Limits, Rule};
use crate::package::archive::Archive;
use crate::package::issues::Issues;
use crate::package::paths::{Target, resolve};

/// Checks the project at the root, and each workspace member and directory that the lock takes from the package.
pub(super) fn check(
    archive: &Archive,
    (project_file, project): (&Document, &Project<'_>),
    (lock_file, lock): (&Document, &Lock<'_>),
    limits: &Limits,
    issues: &mut Issues,
) {
    const BUDGET: usize = 1_000_000;
    const MAX_TREES: usize = 100;
    let python = project.requires_python.as_ref().map(|(python, _)| python);
    let mut comparison = Comparison {
        comparer: Comparer { python, budget: BUDGET },
        pairs_left: BUDGET / 5,
        overridden: project.overrides.iter().map(|(requirement, _)| requirement.name.clone()).collect(),
        in_project: Vec::new(),
        in_lock: Vec::new(),
    };
    if let Some(root) = lock.packages.iter().find(|package| package.source.is_root()) {
        comparison.of_root(project, root, lock);
    }
    comparison.report(project_file, lock_file, issues);

    let mut bytes_left = limits.manifest_bytes;
    let trees = lock.packages.iter().filter(|package| !package.source.is_root());
    let trees = trees.filter_map(|package| match package.source {
        Source::Tree(path) => Some((package, format!("{path}/pyproject.toml"))),
        _ => None,
    });
    for (package, path) in trees.take(MAX_TREES) {
        let Target::File(path) = resolve(archive, &path) else { continue };
        let size = archive.file(path.as_str()).map_or(0, |file| file.size);
        let Some(left) = bytes_left.checked_sub(size) else { break };
        bytes_left = left;
        let Some(file) = Document::read(archive, path.as_str(), limits.manifest_bytes, super::project_fault, issues)
        else {
            continue;
        };
        let Some(toml) = file.parse(super::project_fault, issues) else { continue };
        // Only the root must be a [project]; uv builds another to learn what it requires.
        let Some(mut member) = Project::read(toml.get_ref(), &mut |_, _| ()) else { continue };
        // A workspace's sources hold for its members.
        for (name, origin) in &project.sources {
            member.sources.entry(name.clone()).or_insert_with(|| origin.clone());
        }
        comparison.of_project(&member, package, lock);
        comparison.report(&file, lock_file, issues);
    }
}

/// What is compared, and what was found.
#[derive(Debug)]
struct Comparison<'a> {
    comparer: Comparer<'a>,
    /// Pairs of requirements that may still be looked at.
    pairs_left: usize,
    /// Names whose versions the project overrides.
    overridden: BTreeSet<String>,
    in_project: Vec<(String, usize)>,
    in_lock: Vec<(String, usize)>,
}

impl Comparison<'_> {
    fn report(&mut self, project_file: &Document, lock_file: &Document, issues: &mut Issues) {
        for (file, found) in [(project_file, &mut self.in_project), (lock_file, &mut self.in_lock)] {
            let mut reporter = Reporter::new(file, issues);
            for (message, offset) in found.drain(..) {
                let issue = Issue::error(Rule::L06, Code::RolePackageLockfileStale, message);
                reporter.report(issue.hint("run uv lock, and ship the uv.lock that it writes"), offset);
            }
        }
    }

    fn of_root(&mut self, project: &Project<'_>, root: &Package<'_>, lock: &Lock<'_>) {
        self.of_project(project, root, lock);
        // A workspace's lock admits what all its members admit.
        let members = lock.manifest.map_or(0, |manifest| items(manifest, "members").count());
        if let (Some((written, offset)), Some((locked, _))) = (&project.requires_python, &lock.requires_python)
            && members <= 1
            && !written.is_equivalent(locked)
        {
            self.in_project.push(("uv.lock was made for another requires-python".to_owned(), *offset));
        }
        for (key, written) in [("constraints", &project.constraints), ("overrides", &project.overrides)] {
            let locked = lock.manifest.into_iter().flat_map(|manifest| items(manifest, key));
            let locked = locked.filter_map(|(item, offset)| Some((item.as_table()?, offset)));
            self.of_requirements(written, &Locked::read(locked), &project.sources, key);
        }
    }

    fn of_project(&mut self, project: &Project<'_>, package: &Package<'_>, lock: &Lock<'_>) {
        if project.name != package.name {
            let message =
                format!("uv.lock was made for a project named {:?}, this one is {:?}", package.name, project.name);
            self.in_project.push((message, project.name_offset));
        }
        if let (Some((written, offset)), Some(locked)) = (&project.version, &package.version)
            && written != locked
        {
            let message = format!("uv.lock was made for version {locked} of the project, this one is {written}");
            self.in_project.push((message, *offset));
        }
        if project.has_metadata_of_its_own() {
            return;
        }
        let metadata = metadata(package);
        if let (Some(dependencies), Some(extras)) = (&project.dependencies, &project.extras) {
            let optional = extras.iter().flat_map(|(extra, requirements)| {
                requirements.iter().map(|(requirement, offset)| {
                    let marker = requirement.marker.clone().and_extra(extra);
                    (Requirement { marker, ..requirement.clone() }, *offset)
                })
            });
            let written: Vec<Placed> = dependencies.iter().cloned().chain(optional).collect();
            let locked = Locked::read(metadata.into_iter().flat_map(|metadata| tables(metadata, "requires-dist")));
            // Older releases of uv did not write this.
            if metadata.is_some_and(|metadata| metadata.contains_key("provides-extras")) {
                let provided = metadata.into_iter().flat_map(|metadata| items(metadata, "provides-extras"));
                let provided = provided.filter_map(|(item, _)| normalized_name(item.as_str()?));
                if !provided.collect::<BTreeSet<_>>().iter().eq(extras.keys()) {
                    let message = "uv.lock was made for other optional-dependencies";
                    self.in_project.push((message.to_owned(), project.name_offset));
                }
            }
            if self.of_requirements(&written, &locked, &project.sources, "dependencies") {
                self.of_versions(dependencies, lock);
            }
        }
        if let Some(groups) = &project.groups {
            let locked = metadata.and_then(|metadata| table(metadata, "requires-dev"));
            self.of_groups(groups, locked, &project.sources);
        }
    }

    fn of_groups(&mut self, groups: &ByName<Vec<Placed>>, locked: Option<&DeTable<'_>>, sources: &Sources) {
        let locked_groups = locked.into_iter().flat_map(DeTable::keys);
        let mut locked: ByName<Locked> = locked_groups
            .filter_map(|key| {
                let requirements = locked.into_iter().flat_map(|table| tables(table, key.get_ref()));
                Some((normalized_name(key.get_ref())?, Locked::read(requirements)))
            })
            .collect();
        for (name, written) in groups {
            let locked = locked.remove(name).unwrap_or_default();
            self.of_requirements(written, &locked, sources, &format!("the dependency group {name}"));
        }
        for (name, locked) in locked {
            if locked.by_name.is_empty() {
                let message = format!("uv.lock was made when there was still a dependency group {name}");
                self.in_project.push((message, 0));
            }
            self.of_requirements(&[], &locked, sources, &format!("the dependency group {name}"));
        }
    }

    /// Compares two lists of requirements; whether they agree.
    fn of_requirements(&mut self, written: &[Placed], locked: &Locked, sources: &Sources, list: &str) -> bool {
        let found = self.in_project.len() + self.in_lock.len();
        let mut by_name: ByName<Vec<(Requirement, usize)>> = ByName::new();
        let is_open = |name: &str| locked.unread.contains(name) || matches!(sources.get(name), Some(None));
        for (requirement, offset) in written {
            let requirement = with_source(requirement, sources);
            by_name.entry(requirement.name.clone()).or_default().push((requirement, *offset));
        }
        for (name, wanted) in &by_name {
            let known = locked.by_name.get(name).map_or(&[][..], Vec::as_slice);
            if is_open(name) {
                continue;
            }
            for (requirement, offset) in wanted {
                if !self.is_among(requirement, known) {
                    let message = format!("uv.lock was made before {name} was written so in {list}");
                    self.in_project.push((message, *offset));
                }
            }
        }
        for (name, known) in &locked.by_name {
            let wanted = by_name.get(name).map_or(&[][..], Vec::as_slice);
            if is_open(name) {
                continue;
            }
            // What changed is said where it is written; here only what is gone.
            for (_, offset) in known.iter().filter(|_| wanted.is_empty()) {
                let message = format!("uv.lock was made when {list} of pyproject.toml still named {name}");
                self.in_lock.push((message, *offset));
            }
            let mut vanished = known.iter().filter(|_| !wanted.is_empty());
            if let Some((_, offset)) = vanished.find(|(requirement, _)| !self.is_among(requirement, wanted))
                && wanted.iter().all(|(requirement, _)| self.is_among(requirement, known))
            {
                let message = format!("uv.lock was made when {list} of pyproject.toml named {name} otherwise");
                self.in_lock.push((message, *offset));
            }
        }
        found == self.in_project.len() + self.in_lock.len()
    }

    fn is_among(&mut self, requirement: &Requirement, others: &[(Requirement, usize)]) -> bool {
        others.iter().any(|(other, _)| {
            let Some(left) = self.pairs_left.checked_sub(1) else { return true };
            self.pairs_left = left;
            requirement.is_alike(other)
                && admit_the_same(&requirement.specifiers, &other.specifiers, &mut self.comparer.budget)
                && self.comparer.agree(&requirement.marker, &other.marker)
        })
    }

    /// Whether the lock holds a version of each dependency that fits, for those that are always needed.
    fn of_versions(&mut self, dependencies: &[Placed], lock: &Lock<'_>) {
        for (requirement, offset) in dependencies {
            let name = &requirement.name;
            if requirement.marker != super::marker::Marker::always() || self.overridden.contains(name) {
                continue;
            }
            let Some(left) = self.pairs_left.checked_sub(lock.packages.len()) else { return };
            self.pairs_left = left;
            let mut locked = lock.packages.iter().filter(|package| &package.name == name).peekable();
            if locked.peek().is_none() {
                self.in_project.push((format!("uv.lock holds no package {name}"), *offset));
                continue;
            }
            let fits = |package: &Package<'_>| {
                let version = package.version.as_ref();
                version.is_none_or(|version| requirement.specifiers.iter().all(|wanted| wanted.contains(version)))
            };
            let is_from_index = |package: &Package<'_>| matches!(package.source, Source::Registry(_));
            if !locked.any(|package| !is_from_index(package) || fits(package)) {
                self.in_project.push((format!("uv.lock holds no version of {name} that fits"), *offset));
            }
        }
    }
}

/// The requirement as `[tool.uv.sources]` redirects it: what comes from elsewhere than an index has one version.
fn with_source(requirement: &Requirement, sources: &Sources) -> Requirement {
    match sources.get(&requirement.name) {
        Some(Some(origin)) if *origin != Origin::Index => {
            Requirement { origin: origin.clone(), specifiers: Vec::new(), ..requirement.clone() }
        }
        _ => requirement.clone(),
    }
}

/// The tables in a list.
fn tables<'d>(parent: &'d DeTable<'d>, key: &str) -> impl Iterator<Item = (&'d DeTable<'d>, usize)> {
    items(parent, key).filter_map(|(item, offset)| Some((item.as_table()?, offset)))
}

/// Requirements as the lock lists them.
#[derive(Debug, Default)]
struct Locked {
    by_name: ByName<Vec<(Requirement, usize)>>,
    /// Names with a requirement that could not be understood.
    unread: BTreeSet<String>,
}

impl Locked {
    fn read<'d>(requirements: impl Iterator<Item = (&'d DeTable<'d>, usize)>) -> Self {
        let mut locked = Self::default();
        for (table, offset) in requirements {
            match Requirement::from_lock(table) {
                Some(requirement) => {
                    locked.by_name.entry(requirement.name.clone()).or_default().push((requirement, offset));
                }
                None => locked.unread.extend(text(table, "name").and_then(normalized_name)),
            }
        }
        locked
    }
}
