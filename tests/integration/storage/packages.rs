//! Small valid packages with pictures.

use std::io::{Cursor, Write as _};

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use role_catalog::domain::Limits;
use role_catalog::package::{ValidatedPackage, validate};
use zip::write::SimpleFileOptions;

/// A role with an avatar of 200×200, a cover of 700×300 that is also its first screenshot, and some 600 KB of data.
pub(crate) fn package(id: &str, version: &str) -> ValidatedPackage {
    let manifest = format!(
        "schema_version = 1\nid = \"{id}\"\nversion = \"{version}\"\ntitle = \"A role\"\nsummary = \"A role for tests.\"\n\
         kind = \"role\"\nlicense = \"free\"\nmin_app_version = \"0.1.57\"\n\n\
         [preview]\nintro_html = \"intro.html\"\ncover_image = \"cover.png\"\nscreenshots = [\"cover.png\", \"small.png\"]\n\n\
         [state]\nremembers_progress = false\n\n[environment]\nmanager = \"agotalk\"\ndependency_mode = \"none\"\n"
    );
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let files: [(&str, Vec<u8>); 7] = [
        ("agotalk.role.toml", manifest.into()),
        ("role.md", "---\ntitle: A role\ndescription: A role for tests.\n---\n\nHello.\n".into()),
        ("intro.html", "<p>Hello.</p>".into()),
        ("avatar.png", png(200, 200)),
        ("cover.png", png(700, 300)),
        ("small.png", png(320, 180)),
        ("contents/data.bin", incompressible(600_000)),
    ];
    for (path, content) in files {
        zip.start_file(format!("{id}/{path}"), SimpleFileOptions::default()).unwrap();
        zip.write_all(&content).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    validate(zip.into(), &Limits::default(), None).unwrap()
}

/// Stripes.
fn png(width: u32, height: u32) -> Vec<u8> {
    let stripe = |x: u32, y: u32| u8::try_from((x / 8 + y / 16) % 8 * 32).unwrap();
    let picture = RgbImage::from_fn(width, height, |x, y| Rgb([stripe(x, 0), stripe(0, y), stripe(x, y)]));
    let mut file = Cursor::new(Vec::new());
    DynamicImage::from(picture).write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

/// The same noise every time.
fn incompressible(len: usize) -> Vec<u8> {
    let states = std::iter::successors(Some(1_u32), |n| Some(n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)));
    states.map(|n| n.to_be_bytes()[0]).take(len).collect()
}
