//! Website pictures beside those of `sharp`: time, bytes, likeness to the source.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use image::ImageFormat;
use image::imageops::FilterType;
use role_catalog::domain::{AssetName, Limits};
use role_catalog::folder;
use role_catalog::package::{SourcePicture, ValidatedPackage, validate};
use role_catalog::projection::{Picture, project};

use crate::ssim::ssim;
use crate::{median, milliseconds};

/// One picture that both make.
struct Job {
    picture: Picture,
    source: SourcePicture,
    source_file: PathBuf,
    target_file: PathBuf,
}

pub(crate) fn run() {
    println!("\n## Projection beside sharp\n");
    let limits = Limits::default();
    let packages = packages(&limits);
    let (time, projections) =
        median(3, || packages.iter().map(|package| project(package, &limits).unwrap()).collect::<Vec<_>>());
    let folder = tempfile::tempdir().unwrap();
    let mut jobs = Vec::new();
    for (package, projection) in packages.iter().zip(&projections) {
        for picture in projection.pictures() {
            let source = source(package, picture.name()).clone();
            let source_file = folder.path().join(format!("{}.source", jobs.len()));
            std::fs::write(&source_file, source.bytes()).unwrap();
            let target_file = folder.path().join(format!("{}.webp", jobs.len()));
            jobs.push(Job { picture: picture.clone(), source, source_file, target_file });
        }
    }
    let Some(sharp_time) = sharp(&jobs) else {
        println!("sharp is absent: scripts/bench-validate installs it");
        return;
    };
    report(&jobs, milliseconds(time), sharp_time, packages.len());
}

fn report(jobs: &[Job], time: f64, sharp_time: f64, packages: usize) {
    let (mut bytes, mut sharp_bytes) = (0, 0);
    let (mut likeness, mut sharp_likeness, mut worse) = (0.0, 0.0, Vec::new());
    for job in jobs {
        let (ours, theirs) = (job.picture.bytes(), std::fs::read(&job.target_file).unwrap());
        bytes += ours.len();
        sharp_bytes += theirs.len();
        let original = job.source.decode(&Limits::default()).unwrap();
        let size = (job.picture.width(), job.picture.height());
        let wanted = if (original.width(), original.height()) == size {
            original
        } else {
            original.resize_exact(size.0, size.1, FilterType::Lanczos3)
        };
        let decoded = |bytes: &[u8]| image::load_from_memory_with_format(bytes, ImageFormat::WebP).unwrap();
        let ours = ssim(&wanted, &decoded(ours));
        let theirs = decoded(&theirs);
        let theirs = if (theirs.width(), theirs.height()) == size {
            theirs
        } else {
            theirs.resize_exact(size.0, size.1, FilterType::Lanczos3)
        };
        let theirs = ssim(&wanted, &theirs);
        likeness += ours;
        sharp_likeness += theirs;
        if ours + 0.002 < theirs {
            worse.push(format!("{} {} {ours:.4} < {theirs:.4}", job.source.path(), job.picture.name()));
        }
    }
    let count = jobs.len() as f64;
    println!("{} pictures of {packages} packages\n", jobs.len());
    println!("| | here | sharp | ratio |");
    println!("| --- | ---: | ---: | ---: |");
    println!("| time, ms | {time:.0} | {sharp_time:.0} | {:.2} |", time / sharp_time);
    println!("| bytes | {bytes} | {sharp_bytes} | {:.2} |", bytes as f64 / sharp_bytes as f64);
    println!("| mean SSIM | {:.4} | {:.4} | |", likeness / count, sharp_likeness / count);
    println!("\npictures less alike than sharp's by more than 0.002: {}", worse.len());
    for line in worse {
        println!("- {line}");
    }
}

/// The demo's packages and the cases, each set of pictures once.
fn packages(limits: &Limits) -> Vec<ValidatedPackage> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = |folder: &str| {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let demo = entries("demo/roles").into_iter().filter_map(|path| folder::read(&path, limits).ok()?.into_zip().ok());
    let cases = entries("tests/cases/files").into_iter().map(|path| std::fs::read(path).unwrap().into());
    let mut seen = BTreeSet::new();
    let packages = demo.chain(cases).filter_map(|zip| validate(zip, limits, None).ok());
    packages
        .filter(|package| {
            let pictures = package.pictures();
            let all = pictures.avatar.iter().chain(&pictures.cover).chain(&pictures.screenshots);
            let bytes: Vec<_> = all.map(|picture| picture.bytes().clone()).collect();
            !bytes.is_empty() && seen.insert(bytes)
        })
        .collect()
}

fn source(package: &ValidatedPackage, name: AssetName) -> &SourcePicture {
    let pictures = package.pictures();
    match name {
        AssetName::Avatar(_) => pictures.avatar.as_ref(),
        AssetName::Cover { .. } => pictures.cover.as_ref(),
        AssetName::Screenshot { index, .. } => pictures.screenshots.get(usize::from(index)),
    }
    .unwrap()
}

/// Lets sharp make the same pictures; its median time for all of them in milliseconds, or nothing without it.
fn sharp(jobs: &[Job]) -> Option<f64> {
    let list: Vec<_> = jobs
        .iter()
        .map(|job| {
            let (width, height) = job.picture.name().bounding_box();
            serde_json::json!({"source": job.source_file, "target": job.target_file, "width": width, "height": height})
        })
        .collect();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    serde_json::to_writer(&mut file, &list).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/validate/sharp.cjs");
    let output = Command::new("node").arg(script).arg(file.path()).output().ok()?;
    let text = String::from_utf8(output.stdout).unwrap();
    text.trim().parse().inspect_err(|_| println!("{}", String::from_utf8_lossy(&output.stderr))).ok()
}
