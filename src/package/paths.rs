//! Paths as the manifest writes them (rules E06 to E08, P02, P03).

use percent_encoding::percent_decode_str;

use super::archive::{Archive, Node};
use crate::domain::PackagePath;

/// What a path in the manifest leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A regular file of the package.
    File(PackagePath),
    /// Something outside the package, or nothing that is relative to it.
    Outside,
    /// Nothing; perhaps the path of a file that is spelt almost so.
    Missing(Option<PackagePath>),
    /// A directory, or something else that is no regular file.
    NotFile,
}

/// Follows a path from the package root, as a file system with exact spelling would.
pub(super) fn resolve(archive: &Archive, text: &str) -> Target {
    if leaves_package(text) {
        return Target::Outside;
    }
    let path = text.strip_suffix('/').unwrap_or(text);
    let Some(path) = normalized(path) else { return Target::Outside };
    if path.is_empty() {
        return Target::NotFile;
    }
    match archive.node(&path) {
        Some(Node::File(_)) if text.ends_with('/') => Target::NotFile,
        Some(Node::File(_)) => PackagePath::parse(&path).map_or(Target::Missing(None), Target::File),
        Some(Node::Directory | Node::Other) => Target::NotFile,
        None => Target::Missing(archive.similar(&path).cloned()),
    }
}

/// Whether a path names something outside the package for any reader: one that knows drives, URLs or backslashes, or
/// one that decodes percent signs, however often.
fn leaves_package(text: &str) -> bool {
    const MOST_DECODINGS: usize = 4;
    let mut spelling = text.to_owned();
    for _ in 0..MOST_DECODINGS {
        let decoded = percent_decode_str(&spelling).decode_utf8_lossy().into_owned();
        let absolute = spelling.starts_with('/') || spelling.contains('\\') || has_scheme(&spelling);
        if absolute || normalized(&spelling).is_none() {
            return true;
        }
        if decoded == spelling {
            return false;
        }
        spelling = decoded;
    }
    true
}

/// `C:…`, `https:…`, `file:…`: letters, digits, `+`, `-`, `.` before the first colon.
fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// The path without `.` and `..` segments; nothing when it climbs above its start.
fn normalized(text: &str) -> Option<String> {
    let mut segments = Vec::new();
    for segment in text.split('/') {
        match segment {
            "." => {}
            ".." => {
                segments.pop()?;
            }
            _ => segments.push(segment),
        }
    }
    Some(segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Limits, RoleId};
    use crate::package::issues::Issues;
    use crate::package::pack::{PackFile, pack};

    fn archive() -> Archive {
        let file = |path| PackFile { path: PackagePath::parse(path).unwrap(), bytes: "x".into(), executable: false };
        let files = ["index.html", "app/index.html", "app/100%25.html", "app/a b.html"].map(file).to_vec();
        let zip = pack(&RoleId::parse("role").unwrap(), files).unwrap();
        Archive::read(zip, &Limits::default(), &mut Issues::default()).unwrap()
    }

    #[test]
    fn paths_lead_where_a_file_system_with_exact_spelling_would() {
        let archive = archive();
        for (text, file) in [
            ("index.html", "index.html"),
            ("./app/./index.html", "app/index.html"),
            ("app/../index.html", "index.html"),
            ("app/a b.html", "app/a b.html"),
            ("app/100%25.html", "app/100%25.html"),
        ] {
            assert_eq!(resolve(&archive, text), Target::File(PackagePath::parse(file).unwrap()), "{text}");
        }
        for text in ["app", "app/", ".", "./", "index.html/"] {
            assert_eq!(resolve(&archive, text), Target::NotFile, "{text}");
        }
        for text in
            ["app/index.htm", "app//index.html", "index.html?x", "index.html\0", "ap", "app/index.html/x", "～/x"]
        {
            assert_eq!(resolve(&archive, text), Target::Missing(None), "{text}");
        }
        let near = PackagePath::parse("app/index.html").unwrap();
        assert_eq!(resolve(&archive, "App/Index.html"), Target::Missing(Some(near)));
    }

    #[test]
    fn no_spelling_leads_out() {
        let archive = archive();
        for text in [
            "/index.html",
            "//host/index.html",
            "../index.html",
            "app/../../role/index.html",
            "..\\index.html",
            "app\\index.html",
            "C:/index.html",
            "c:index.html",
            "https://example.com/index.html",
            "file:index.html",
            "javascript:alert(1)",
            "%2e%2e/index.html",
            "..%2findex.html",
            "%2Findex.html",
            "%5c%5chost/index.html",
            "%252e%252e/index.html",
            "%25252525252e/index.html",
        ] {
            assert_eq!(resolve(&archive, text), Target::Outside, "{text}");
        }
    }
}
