//! Real packages for tests: a valid role to begin with, changed file by file.

use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};

use bytes::Bytes;
use image::{DynamicImage, ImageFormat, RgbImage};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Builds the zip of a package; [`PackageBuilder::role`] alone is valid.
#[derive(Debug, Clone)]
pub(crate) struct PackageBuilder {
    id: String,
    manifest: ManifestText,
    files: BTreeMap<String, (Bytes, u32)>,
    /// Entries with whole names, after all files.
    raw: Vec<RawEntry>,
    comment: String,
    method: CompressionMethod,
}

/// The manifest, either assembled or given whole.
#[derive(Debug, Clone)]
enum ManifestText {
    Fields { version: String, title: String, summary: String, kind: String, mode: String, extra: String },
    Whole(Bytes),
    Absent,
}

#[derive(Debug, Clone)]
enum RawEntry {
    File { name: String, bytes: Bytes },
    Directory { name: String },
    Symlink { name: String, target: String },
}

impl PackageBuilder {
    /// A valid conversational role: manifest and role.md.
    pub(crate) fn role(id: &str) -> Self {
        let role_md = "---\ntitle: \"Patient tutor\"\ndescription: \"Explains slowly\"\n---\n\nYou are patient.\n";
        let manifest = ManifestText::Fields {
            version: "0.1.0".to_owned(),
            title: "Patient Tutor".to_owned(),
            summary: "Explains slowly.".to_owned(),
            kind: "kind = \"role\"".to_owned(),
            mode: "none".to_owned(),
            extra: String::new(),
        };
        let builder = Self {
            id: id.to_owned(),
            manifest,
            files: BTreeMap::new(),
            raw: Vec::new(),
            comment: String::new(),
            method: CompressionMethod::Deflated,
        };
        builder.file("role.md", role_md)
    }

    /// A valid application with one page at `agapps/game/index.html`.
    pub(crate) fn application(id: &str) -> Self {
        let entry =
            "\n[entry]\nkind = \"static_browser\"\ntarget = \"agapps/game/index.html\"\naddress_bar = \"hidden\"\n";
        let mut builder = Self::role(id).file("agapps/game/index.html", "<!doctype html><title>Game</title>");
        if let ManifestText::Fields { kind, extra, .. } = &mut builder.manifest {
            "kind = \"application\"".clone_into(kind);
            extra.push_str(entry);
        }
        builder
    }

    /// Adds an avatar, a cover and one screenshot of the recommended sizes.
    pub(crate) fn with_pictures(self) -> Self {
        let preview = "\n[preview]\ncover_image = \"assets/cover.png\"\nscreenshots = [\"assets/1.png\"]\n";
        self.manifest_extra(preview)
            .file("avatar.png", picture(512, 512, ImageFormat::Png))
            .file("assets/cover.png", picture(1280, 720, ImageFormat::Png))
            .file("assets/1.png", picture(1280, 720, ImageFormat::Png))
    }

    /// Sets the version.
    pub(crate) fn version(mut self, text: &str) -> Self {
        if let ManifestText::Fields { version, .. } = &mut self.manifest {
            text.clone_into(version);
        }
        self
    }

    /// Sets title and summary.
    pub(crate) fn text(mut self, new_title: &str, new_summary: &str) -> Self {
        if let ManifestText::Fields { title, summary, .. } = &mut self.manifest {
            new_title.clone_into(title);
            new_summary.clone_into(summary);
        }
        self
    }

    /// Makes it a locked package, without adding the files that this demands.
    pub(crate) fn locked(mut self) -> Self {
        if let ManifestText::Fields { mode, .. } = &mut self.manifest {
            "locked".clone_into(mode);
        }
        self
    }

    /// Appends text to the manifest, after its tables.
    pub(crate) fn manifest_extra(mut self, text: &str) -> Self {
        if let ManifestText::Fields { extra, .. } = &mut self.manifest {
            extra.push_str(text);
        }
        self
    }

    /// Replaces the whole manifest.
    pub(crate) fn manifest(mut self, toml: impl Into<Bytes>) -> Self {
        self.manifest = ManifestText::Whole(toml.into());
        self
    }

    /// Adds or replaces a regular file.
    pub(crate) fn file(mut self, path: &str, bytes: impl Into<Bytes>) -> Self {
        self.files.insert(path.to_owned(), (bytes.into(), 0o644));
        self
    }

    /// Adds or replaces an executable file.
    pub(crate) fn executable(mut self, path: &str, bytes: impl Into<Bytes>) -> Self {
        self.files.insert(path.to_owned(), (bytes.into(), 0o755));
        self
    }

    /// Leaves a file out, the manifest included.
    pub(crate) fn without(mut self, path: &str) -> Self {
        if path == "agotalk.role.toml" {
            self.manifest = ManifestText::Absent;
        }
        self.files.remove(path);
        self
    }

    /// Adds an entry by its whole name, which no rule of names restrains.
    pub(crate) fn raw_file(mut self, name: &str, bytes: impl Into<Bytes>) -> Self {
        self.raw.push(RawEntry::File { name: name.to_owned(), bytes: bytes.into() });
        self
    }

    /// Adds a directory entry by its whole name.
    pub(crate) fn raw_directory(mut self, name: &str) -> Self {
        self.raw.push(RawEntry::Directory { name: name.to_owned() });
        self
    }

    /// Adds a symbolic link by its whole name.
    pub(crate) fn raw_symlink(mut self, name: &str, target: &str) -> Self {
        self.raw.push(RawEntry::Symlink { name: name.to_owned(), target: target.to_owned() });
        self
    }

    /// Sets the archive comment.
    pub(crate) fn comment(mut self, text: &str) -> Self {
        text.clone_into(&mut self.comment);
        self
    }

    /// Stores the files instead of deflating them: the same package, other bytes.
    pub(crate) fn stored(mut self) -> Self {
        self.method = CompressionMethod::Stored;
        self
    }

    /// The zip.
    pub(crate) fn build(&self) -> Bytes {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = |mode| SimpleFileOptions::default().compression_method(self.method).unix_permissions(mode);
        let manifest = self.manifest_bytes().map(|bytes| ("agotalk.role.toml".to_owned(), (bytes, 0o644)));
        for (path, (bytes, mode)) in self.files.clone().into_iter().chain(manifest) {
            zip.start_file(format!("{}/{path}", self.id), options(mode)).unwrap();
            zip.write_all(&bytes).unwrap();
        }
        for entry in &self.raw {
            match entry {
                RawEntry::File { name, bytes } => {
                    zip.start_file(name.clone(), options(0o644)).unwrap();
                    zip.write_all(bytes).unwrap();
                }
                RawEntry::Directory { name } => zip.add_directory(name.clone(), options(0o755)).unwrap(),
                RawEntry::Symlink { name, target } => {
                    zip.add_symlink(name.clone(), target.clone(), options(0o777)).unwrap();
                }
            }
        }
        zip.set_comment(self.comment.clone()).unwrap();
        zip.finish().unwrap().into_inner().into()
    }

    fn manifest_bytes(&self) -> Option<Bytes> {
        match &self.manifest {
            ManifestText::Absent => None,
            ManifestText::Whole(bytes) => Some(bytes.clone()),
            ManifestText::Fields { version, title, summary, kind, mode, extra } => {
                let id = &self.id;
                let toml = format!(
                    "schema_version = 1\nid = \"{id}\"\nversion = \"{version}\"\ntitle = \"{title}\"\nsummary = \
                     \"{summary}\"\n{kind}\nlicense = \"free\"\nmin_app_version = \"0.1.57\"\n\n[state]\n\
                     remembers_progress = false\n\n[environment]\nmanager = \"agotalk\"\ndependency_mode = \"{mode}\"\n\
                     {extra}"
                );
                Some(toml.into())
            }
        }
    }
}

/// A picture of this size with a gradient on it.
pub(crate) fn picture(width: u32, height: u32, format: ImageFormat) -> Bytes {
    let pixels = RgbImage::from_fn(width, height, |x, y| {
        let shade = |n: u32, of: u32| u8::try_from(n * 255 / of.max(1)).unwrap_or(u8::MAX);
        image::Rgb([shade(x, width), shade(y, height), 90])
    });
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(pixels).write_to(&mut bytes, format).unwrap();
    bytes.into_inner().into()
}
