//! The files that a locked package is installed from, and their digests (rules L03, L04, L05).

use toml::de::{DeTable, DeValue};

use super::document::{Reporter, get, items, table, text};
use super::uv_lock::{Package, Source, absent, fault, outside, shortened};
use crate::domain::{Code, Issue, Rule};
use crate::package::archive::Archive;
use crate::package::paths::{Target, resolve};

/// A fault of rule L04.
pub(super) fn hash_fault(message: String) -> Issue {
    Issue::error(Rule::L04, Code::RolePackageLockfileHashInvalid, message)
        .hint("write the lock again with uv lock; digests are never written by hand")
}

/// Checks every sdist and wheel of a package.
pub(super) fn check(package: &Package<'_>, archive: &Archive, reporter: &mut Reporter<'_>) {
    let is_download = match package.source {
        Source::Registry(_) | Source::Url(_) | Source::File(_) => true,
        // A source tree is built, not downloaded; a git source is refused as a whole.
        Source::Tree(_) | Source::Git => false,
    };
    let sdist = get(package.table, "sdist").into_iter();
    let mut found = 0;
    for (artifact, offset) in sdist.chain(items(package.table, "wheels")) {
        found += 1;
        match artifact {
            DeValue::Table(table) => check_artifact(package, table, offset, archive, reporter),
            _ => reporter.report(fault(format!("an sdist or wheel of {} must be a table", package.name)), offset),
        }
    }
    if found == 0 && is_download {
        let message = format!("{} has neither an sdist nor a wheel in uv.lock", package.name);
        reporter.report(fault(message), package.offset);
    }
}

fn check_artifact(
    package: &Package<'_>,
    artifact: &DeTable<'_>,
    offset: usize,
    archive: &Archive,
    reporter: &mut Reporter<'_>,
) {
    let name = &package.name;
    let shown = shown_name(package, artifact);
    let digest = match get(artifact, "hash") {
        None => {
            reporter.report(hash_fault(format!("{shown} of {name} has no digest")), offset);
            None
        }
        Some((value, offset)) => match value.as_str().ok_or("is no text").and_then(digest) {
            Ok(digest) => Some((digest, offset)),
            Err(reason) => {
                reporter.report(hash_fault(format!("the digest of {shown} of {name} {reason}")), offset);
                None
            }
        },
    };
    if let Some(url) = text(artifact, "url")
        && url.to_ascii_lowercase().starts_with("file:")
    {
        reporter.report(outside(name, url), offset);
    }
    let path = match (package.source, text(artifact, "path")) {
        // In a directory of wheels, paths are relative to it.
        (Source::Registry(directory), Some(path)) if !directory.contains("://") => Some(format!("{directory}/{path}")),
        (Source::File(path), _) | (_, Some(path)) => Some(path.to_owned()),
        (_, None) => None,
    };
    let Some(path) = path else { return };
    match resolve(archive, &path) {
        Target::File(found) => {
            let actual = archive.file(found.as_str()).and_then(|file| file.digest);
            if let Some((digest, offset)) = digest
                && actual.is_some_and(|actual| actual.to_string() != digest)
            {
                reporter.report(hash_fault(format!("{found} has another digest than uv.lock says")), offset);
            }
        }
        // Of a file source this is said already.
        _ if matches!(package.source, Source::File(_)) => {}
        Target::Outside => reporter.report(outside(name, &path), offset),
        Target::Missing(_) | Target::NotFile => reporter.report(absent(name, &path, "file"), offset),
    }
}

/// What an artifact is called in a message.
fn shown_name(package: &Package<'_>, artifact: &DeTable<'_>) -> String {
    let name = ["filename", "path", "url"].into_iter().find_map(|key| text(artifact, key));
    let name = name.or(match package.source {
        Source::Url(place) | Source::File(place) => Some(place),
        Source::Registry(_) | Source::Git | Source::Tree(_) => None,
    });
    let last = name.and_then(|name| name.split(['?', '#']).next()).and_then(|name| name.rsplit('/').next());
    last.filter(|last| !last.is_empty()).map_or_else(|| "an artifact".to_owned(), shortened)
}

/// The digest in small letters, or why it cannot be one.
fn digest(hash: &str) -> Result<String, &'static str> {
    const DIGITS: usize = 64;
    let Some((algorithm, digits)) = hash.split_once(':') else { return Err("does not say that it is a sha256") };
    if algorithm != "sha256" {
        return Err("is no sha256, the only one accepted");
    }
    if digits.len() != DIGITS || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err("is not 64 hexadecimal digits");
    }
    let digits = digits.to_ascii_lowercase();
    if is_invented(digits.as_bytes()) {
        return Err("is not the digest of anything: its digits repeat");
    }
    Ok(digits)
}

/// Whether the digits are one short pattern over and over, which no real digest is.
fn is_invented(digits: &[u8]) -> bool {
    (1..=digits.len() / 2).any(|period| digits.iter().zip(digits.iter().skip(period)).all(|(a, b)| a == b))
}

/// The tables that list what a package requires, as uv read it when it locked.
pub(super) fn metadata<'d>(package: &Package<'d>) -> Option<&'d DeTable<'d>> {
    table(package.table, "metadata")
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: &str = "946d195a0d259cbba61165e88e65941f16e9b36ea6ddb97f00452bae8b1287d3";

    #[test]
    fn l04_only_64_hexadecimal_digits_of_sha256_are_a_digest() {
        assert_eq!(digest(&format!("sha256:{REAL}")).as_deref(), Ok(REAL));
        assert_eq!(digest(&format!("sha256:{}", REAL.to_uppercase())).as_deref(), Ok(REAL));
        for hash in [
            "",
            REAL,
            "sha256:",
            "sha256:TODO",
            &format!("sha256:{REAL}0"),
            &format!("sha256:{}", &REAL[1..]),
            &format!("sha512:{REAL}{REAL}"),
            "md5:8d119300841ec1abcf34b2e8ce8d656e",
            &format!("sha256:{}", REAL.replace('4', "g")),
            &format!("sha256:{}", "0".repeat(64)),
            &format!("sha256:{}", "0123456789abcdef".repeat(4)),
        ] {
            assert!(digest(hash).is_err(), "{hash}");
        }
    }
}
