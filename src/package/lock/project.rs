//! `pyproject.toml`: what the author wrote, as far as uv locks it (rule L03b).

use std::collections::BTreeSet;

use pep440_rs::Version;
use toml::de::{DeTable, DeValue};

use super::document::{ByName, get, items, normalized_name, table, text};
use super::python::RequiresPython;
use super::requirement::{Origin, Requirement};
use super::uv_lock::{shortened, version};

/// A requirement and where it is written.
pub(super) type Placed = (Requirement, usize);

/// What could be read of a project.
#[derive(Debug)]
pub(super) struct Project<'d> {
    /// Normalized.
    pub(super) name: String,
    pub(super) name_offset: usize,
    /// The version with its place, when it is written down.
    pub(super) version: Option<(Version, usize)>,
    pub(super) requires_python: Option<(RequiresPython, usize)>,
    /// Nothing when they are computed by the build.
    pub(super) dependencies: Option<Vec<Placed>>,
    /// The optional ones by extra; nothing when they are computed by the build.
    pub(super) extras: Option<ByName<Vec<Placed>>>,
    /// By dependency group; nothing when uv is told more about them than is read here.
    pub(super) groups: Option<ByName<Vec<Placed>>>,
    pub(super) constraints: Vec<Placed>,
    pub(super) overrides: Vec<Placed>,
    pub(super) sources: Sources,
    uv: Option<&'d DeTable<'d>>,
}

/// Where `[tool.uv.sources]` sends a requirement; nothing for a choice of several places.
pub(super) type Sources = ByName<Option<Origin>>;

/// Says what is wrong at an offset.
type Report<'r> = &'r mut dyn FnMut(String, usize);

impl<'d> Project<'d> {
    /// Reads a project and reports what uv could not read either; nothing when it has no name.
    pub(super) fn read(root: &'d DeTable<'d>, report: Report<'_>) -> Option<Self> {
        let Some((value, offset)) = get(root, "project") else {
            report("pyproject.toml has no [project] table".to_owned(), 0);
            return None;
        };
        let Some(project) = value.as_table() else {
            report("project must be one [project] table".to_owned(), offset);
            return None;
        };
        let dynamic: BTreeSet<&str> = items(project, "dynamic").filter_map(|(item, _)| item.as_str()).collect();
        let uv = table(root, "tool").and_then(|tool| table(tool, "uv"));

        let name = name(project, offset, report);
        let version = project_version(project, offset, &dynamic, report);
        let requires_python = requires_python(project, report);
        let dependencies = requirements(project, "dependencies", report);
        let optional = table(project, "optional-dependencies");
        let extras = optional.into_iter().flat_map(|extras| {
            extras.keys().filter_map(|key| Some((key.get_ref().as_ref(), normalized_name(key.get_ref())?)))
        });
        let extras: Vec<_> = extras.collect();
        let extras: ByName<Vec<Placed>> = extras
            .into_iter()
            .map(|(key, name)| (name, optional.map_or_else(Vec::new, |table| requirements(table, key, report))))
            .collect();
        let groups = groups(root, uv, report);
        let mut of_uv = |key| uv.map_or_else(Vec::new, |uv| requirements(uv, key, report));
        let (constraints, overrides) = (of_uv("constraint-dependencies"), of_uv("override-dependencies"));
        let (name, name_offset) = name?;
        Some(Self {
            name,
            name_offset,
            version,
            requires_python,
            dependencies: (!dynamic.contains("dependencies")).then_some(dependencies),
            extras: (!dynamic.contains("optional-dependencies")).then_some(extras),
            groups,
            constraints,
            overrides,
            sources: sources(uv),
            uv,
        })
    }

    /// Whether uv is told the requirements of the project itself by its settings rather than by the project.
    pub(super) fn has_metadata_of_its_own(&self) -> bool {
        self.uv.is_some_and(|uv| uv.contains_key("dependency-metadata"))
    }
}

fn name(project: &DeTable<'_>, offset: usize, report: Report<'_>) -> Option<(String, usize)> {
    let Some((value, offset)) = get(project, "name") else {
        report("project.name is missing".to_owned(), offset);
        return None;
    };
    let name = value.as_str().and_then(normalized_name);
    if name.is_none() {
        report("project.name must be a name of letters, digits, -, _ and .".to_owned(), offset);
    }
    Some((name?, offset))
}

fn project_version(
    project: &DeTable<'_>,
    offset: usize,
    dynamic: &BTreeSet<&str>,
    report: Report<'_>,
) -> Option<(Version, usize)> {
    match get(project, "version") {
        None if dynamic.contains("version") => None,
        None => {
            report("project.version is missing".to_owned(), offset);
            None
        }
        Some((value, offset)) => {
            let version = value.as_str().and_then(version);
            if version.is_none() {
                report("project.version must be a Python version (PEP 440)".to_owned(), offset);
            }
            Some((version?, offset))
        }
    }
}

fn requires_python(project: &DeTable<'_>, report: Report<'_>) -> Option<(RequiresPython, usize)> {
    let (value, offset) = get(project, "requires-python")?;
    let python = value.as_str().and_then(RequiresPython::parse);
    if python.is_none() {
        report("project.requires-python must be a version specifier such as \">=3.11\"".to_owned(), offset);
    }
    Some((python?, offset))
}

/// The requirements of a list; reports each that is none.
fn requirements(table: &DeTable<'_>, key: &str, report: Report<'_>) -> Vec<Placed> {
    if let Some((value, offset)) = get(table, key)
        && value.as_array().is_none()
    {
        report(format!("{key} must be a list of requirements"), offset);
    }
    items(table, key).filter_map(|(item, offset)| requirement(item, offset, report)).collect()
}

fn requirement(item: &DeValue<'_>, offset: usize, report: Report<'_>) -> Option<Placed> {
    let requirement = item.as_str().and_then(Requirement::parse);
    if requirement.is_none() {
        let written = item.as_str().map_or_else(String::new, |text| format!(": {:?}", shortened(text)));
        report(format!("this is no requirement that uv can read{written}"), offset);
    }
    Some((requirement?, offset))
}

/// `[dependency-groups]` with what they include, and `tool.uv.dev-dependencies`, which uv adds to `dev`.
fn groups(root: &DeTable<'_>, uv: Option<&DeTable<'_>>, report: Report<'_>) -> Option<ByName<Vec<Placed>>> {
    const MAX_REQUIREMENTS: usize = 10_000;
    let written = table(root, "dependency-groups");
    let mut own: ByName<(Vec<Placed>, Vec<String>)> = ByName::new();
    for key in written.into_iter().flat_map(DeTable::keys) {
        let name = normalized_name(key.get_ref())?;
        let group = own.entry(name).or_default();
        for (item, offset) in written.into_iter().flat_map(|table| items(table, key.get_ref())) {
            match item.as_table() {
                Some(include) => group.1.push(text(include, "include-group").and_then(normalized_name)?),
                None => group.0.extend(requirement(item, offset, report)),
            }
        }
    }
    if let Some(uv) = uv {
        let dev = requirements(uv, "dev-dependencies", report);
        if !dev.is_empty() {
            own.entry("dev".to_owned()).or_default().0.extend(dev);
        }
        if uv.contains_key("dependency-groups") {
            return None;
        }
    }
    let mut left = MAX_REQUIREMENTS;
    let mut expanded = ByName::new();
    for name in own.keys() {
        let (mut open, mut seen, mut all) = (vec![name], BTreeSet::new(), Vec::new());
        while let Some(name) = open.pop() {
            let Some((requirements, includes)) = own.get(name).filter(|_| seen.insert(name)) else { continue };
            left = left.checked_sub(requirements.len() + includes.len())?;
            all.extend(requirements.iter().cloned());
            open.extend(includes);
        }
        expanded.insert(name.clone(), all);
    }
    Some(expanded)
}

fn sources(uv: Option<&DeTable<'_>>) -> Sources {
    let Some(sources) = uv.and_then(|uv| table(uv, "sources")) else { return Sources::new() };
    let named = sources.iter().filter_map(|(key, value)| Some((normalized_name(key.get_ref())?, value.get_ref())));
    named.map(|(name, value)| (name, value.as_table().and_then(origin))).collect()
}

/// The place that one source names, unless only under conditions.
fn origin(source: &DeTable<'_>) -> Option<Origin> {
    if ["marker", "extra", "group"].into_iter().any(|key| source.contains_key(key)) {
        return None;
    }
    if source.contains_key("git") {
        Some(Origin::Git)
    } else if let Some(url) = text(source, "url") {
        Some(Origin::Url(url.split('#').next().unwrap_or(url).to_owned()))
    } else if source.contains_key("path") || source.contains_key("workspace") {
        Some(Origin::Local)
    } else {
        source.contains_key("index").then_some(Origin::Index)
    }
}
