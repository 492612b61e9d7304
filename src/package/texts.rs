//! Which files are texts, by their names before they are unpacked and by their first bytes after.

use crate::domain::PackagePath;

/// The largest text that is read, in bytes.
pub(super) const MAX_TEXT_BYTES: u64 = 4 * 1024 * 1024;

/// Whether a file of this name and size need not be unpacked to know that nobody reads it as a text.
pub(super) fn may_be_text(path: &PackagePath, size: u64) -> bool {
    size <= MAX_TEXT_BYTES && !is_known_binary(path)
}

/// Whether content that begins so is a text.
pub(super) fn is_text(beginning: &[u8]) -> bool {
    const LOOKED_AT: usize = 8 * 1024;
    !beginning.get(..LOOKED_AT).unwrap_or(beginning).contains(&0)
}

/// What follows the last dot of a file's name, in lowercase.
pub(super) fn extension(path: &PackagePath) -> String {
    path.file_name().rsplit_once('.').map_or_else(String::new, |(_, extension)| extension.to_ascii_lowercase())
}

fn is_known_binary(path: &PackagePath) -> bool {
    const EXTENSIONS: [&str; 26] = [
        "png", "jpg", "jpeg", "gif", "webp", "avif", "ico", "mp3", "ogg", "wav", "flac", "m4a", "mp4", "webm", "mov",
        "woff", "woff2", "ttf", "otf", "zip", "gz", "xz", "whl", "pdf", "wasm", "db",
    ];
    EXTENSIONS.contains(&extension(path).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_by_its_name_its_size_and_its_first_bytes() {
        let may_be = |path: &str, size| may_be_text(&PackagePath::parse(path).unwrap(), size);
        assert!(may_be("role.md", 10) && may_be("contents/notes", MAX_TEXT_BYTES));
        assert!(!may_be("role.md", MAX_TEXT_BYTES + 1) && !may_be("avatar.PNG", 10));
        assert!(is_text("é".as_bytes()) && is_text(b"") && !is_text(b"a\0b"));
    }
}
