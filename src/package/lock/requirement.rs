//! One requirement as `pyproject.toml` writes it (PEP 508) and as uv repeats it in the lock.

use std::collections::BTreeSet;
use std::str::FromStr as _;

use pep440_rs::{Version, VersionSpecifier, VersionSpecifiers};
use toml::de::DeTable;

use super::document::{items, normalized_name, text};
use super::marker::Marker;

/// What is required, from where, and when.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Requirement {
    pub(super) name: String,
    pub(super) extras: BTreeSet<String>,
    pub(super) specifiers: Vec<VersionSpecifier>,
    pub(super) origin: Origin,
    pub(super) marker: Marker,
}

/// Where a requirement is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// An index.
    Index,
    /// A direct URL, without its fragment.
    Url(String),
    /// A file, directory or workspace member.
    Local,
    /// A repository.
    Git,
}

const MAX_BYTES: usize = 4000;

impl Requirement {
    /// Parses PEP 508; nothing when it is not that.
    pub(super) fn parse(requirement: &str) -> Option<Self> {
        if requirement.len() > MAX_BYTES {
            return None;
        }
        let rest = requirement.trim();
        let name_len = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.'));
        let (name, rest) = rest.split_at_checked(name_len.unwrap_or(rest.len()))?;
        let name = normalized_name(name)?;
        let rest = rest.trim_start();
        let (extras, rest) = match rest.strip_prefix('[') {
            Some(inside) => {
                let (extras, rest) = inside.split_once(']')?;
                let extras = extras.split(',').map(str::trim).filter(|extra| !extra.is_empty());
                (extras.map(normalized_name).collect::<Option<_>>()?, rest.trim_start())
            }
            None => (BTreeSet::new(), rest),
        };
        let (origin, specifiers, marker) = if let Some(url) = rest.strip_prefix('@') {
            let url = url.trim_start();
            let (url, marker) = url.split_at_checked(url.find(char::is_whitespace).unwrap_or(url.len()))?;
            let marker = marker.trim();
            let marker = if marker.is_empty() { None } else { Some(marker.strip_prefix(';')?) };
            (url_origin(url)?, Vec::new(), marker)
        } else {
            let (specifiers, marker) = rest.split_once(';').map_or((rest, None), |(left, right)| (left, Some(right)));
            let specifiers = specifiers.trim();
            let bare = specifiers.strip_prefix('(').and_then(|inside| inside.strip_suffix(')')).unwrap_or(specifiers);
            (Origin::Index, parse_specifiers(bare)?, marker)
        };
        let marker = marker.map_or(Some(Marker::always()), Marker::parse)?;
        Some(Self { name, extras, specifiers, origin, marker })
    }

    /// A requirement as the lock's metadata lists it; nothing when a part of it cannot be understood.
    pub(super) fn from_lock(table: &DeTable<'_>) -> Option<Self> {
        let name = text(table, "name").and_then(normalized_name)?;
        let extras = items(table, "extras").map(|(extra, _)| normalized_name(extra.as_str()?));
        let is_local = ["path", "directory", "editable", "virtual"].into_iter().any(|key| table.contains_key(key));
        let origin = if table.contains_key("git") {
            Origin::Git
        } else if is_local {
            Origin::Local
        } else if let Some(url) = text(table, "url") {
            url_origin(url)?
        } else {
            Origin::Index
        };
        Some(Self {
            name,
            extras: extras.collect::<Option<_>>()?,
            specifiers: parse_specifiers(text(table, "specifier").unwrap_or_default())?,
            origin,
            marker: text(table, "marker").map_or(Some(Marker::always()), Marker::parse)?,
        })
    }

    /// Whether both require the same from the same place, versions and markers aside.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        self.name == other.name && self.extras == other.extras && self.origin == other.origin
    }
}

/// Whether both admit the same versions, of those around the ones that they name: `~=1.2` is `>=1.2, ==1.*`.
/// The budget pays for looking closer.
pub(super) fn admit_the_same(a: &[VersionSpecifier], b: &[VersionSpecifier], budget: &mut usize) -> bool {
    const MAX_NAMED: usize = 20;
    if a == b {
        return true;
    }
    let Some(left) = budget.checked_sub((a.len() + b.len()) * MAX_NAMED * MAX_AROUND) else { return true };
    *budget = left;
    let admits = |all: &[VersionSpecifier], version: &Version| all.iter().all(|specifier| specifier.contains(version));
    let named = a.iter().chain(b).take(MAX_NAMED).map(VersionSpecifier::version);
    named.flat_map(around).chain([Version::new([0])]).all(|version| admits(a, &version) == admits(b, &version))
}

const MAX_PLACES: usize = 5;
/// How many [`around`] finds.
const MAX_AROUND: usize = 2 * MAX_PLACES + 4;

/// A version and its neighbours: the next and the previous at each place, and what is smaller than a release.
fn around(version: &Version) -> Vec<Version> {
    let release: Vec<u64> = version.release().iter().copied().take(MAX_PLACES).collect();
    let mut found = vec![version.clone(), version.clone().with_post(Some(0)), version.clone().with_dev(Some(0))];
    for place in 0..release.len() {
        for step in [1, -1] {
            let mut neighbour = release.get(..=place).unwrap_or_default().to_vec();
            let stepped = neighbour.last_mut().and_then(|last| last.checked_add_signed(step).map(|next| *last = next));
            found.extend(stepped.map(|()| Version::new(neighbour)));
        }
    }
    found.push(Version::new(release.into_iter().chain([1])));
    found
}

fn url_origin(url: &str) -> Option<Origin> {
    let lower = url.to_ascii_lowercase();
    let (scheme, _) = lower.split_once(':')?;
    Some(match scheme {
        "file" => Origin::Local,
        _ if scheme.starts_with("git") => Origin::Git,
        _ => Origin::Url(url.split('#').next().unwrap_or(url).to_owned()),
    })
}

fn parse_specifiers(specifiers: &str) -> Option<Vec<VersionSpecifier>> {
    const MAX_BYTES: usize = 1000;
    if specifiers.len() > MAX_BYTES {
        return None;
    }
    VersionSpecifiers::from_str(specifiers.trim().trim_end_matches(',')).ok().map(|all| all.iter().cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_read_however_they_are_spaced() {
        let parse = |text: &str| Requirement::parse(text).unwrap_or_else(|| panic!("{text}"));
        let mut budget = 1_000_000;
        let mut same = |a: &str, b: &str| {
            let (a, b) = (parse(a), parse(b));
            a.is_alike(&b) && admit_the_same(&a.specifiers, &b.specifiers, &mut budget)
        };
        for (a, b) in [
            ("idna==3.10", "IDNA == 3.10.0"),
            ("x>=1,<2", "x (<2, >=1)"),
            ("x~=24.2", "x>=24.2, ==24.*"),
            ("Some.Package[B,a_c] ~= 1.2 ; os_name=='nt'", "some-package[a-c, b]~=1.2;os_name == \"nt\""),
            ("six @ https://example.com/six.whl#sha256=0", "six@https://example.com/six.whl"),
        ] {
            assert!(same(a, b), "{a}");
        }
        assert_eq!(parse("a @ git+https://example.com/a.git@v1 ; extra == 'x'").origin, Origin::Git);
        for (a, b) in [("x>=1", "x>1"), ("x", "x>=1"), ("x<2", "x<=2"), ("x!=1.5", "x"), ("x==1.*", "x>=1"), ("x", "y")]
        {
            assert!(!same(a, b), "{a} | {b}");
        }
        for text in ["", "==1", "a==", "a b", "a[", "a >= 1 <", "a; os_name", "a @ ", "ä", "a @ https://x y"] {
            assert_eq!(Requirement::parse(text), None, "{text}");
        }
    }
}
