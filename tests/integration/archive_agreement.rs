//! An independent zip reader sees the same entries in every archive that the validator finds no fault with.

use std::path::Path;

use bytes::Bytes;
use proptest::prelude::*;
use role_catalog::domain::Limits;
use role_catalog::package::validate;

use crate::fuzz::agreement;
use crate::support::package_builder::PackageBuilder;

/// Whether the package was accepted; both readers agree then.
fn accepted(zip: Vec<u8>) -> bool {
    let zip = Bytes::from(zip);
    let result = validate(zip.clone(), &Limits::default(), None);
    agreement::check(&zip, &result);
    result.is_ok()
}

#[test]
fn both_readers_agree_on_every_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/files");
    let zips = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    assert!(zips.filter(|zip| accepted(zip.clone())).count() > 50);
}

/// How an entry's sizes are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sizes {
    InHeaders,
    Descriptor { signature: bool, wide: bool },
}

/// One entry as its bytes are written, with every number that a header holds open to change.
#[derive(Debug, Clone)]
struct Part {
    name: String,
    content: Vec<u8>,
    deflated: bool,
    sizes: Sizes,
    /// Zip64 extra fields in the local and in the central header.
    zip64: (bool, bool),
    /// Which number of the local (0 to 9) or central (10 to 24) header is changed, and by what.
    change: Option<(usize, u32)>,
    /// Appended to the packed data.
    surplus: Vec<u8>,
    /// Whether the surplus counts as packed data.
    counted: bool,
}

/// How the archive as a whole departs from what is usual.
#[derive(Debug, Clone)]
struct Frame {
    prefix: Vec<u8>,
    between: Vec<u8>,
    comment: Vec<u8>,
    zip64: bool,
    /// Which number of the end record is changed, and by what.
    change: Option<(usize, u32)>,
    /// Whether the directory lists the entries the other way round, or leaves out the last.
    reversed: bool,
    hidden: bool,
}

/// Numbers of so many bytes each, little-endian, with one of them changed.
fn numbers(fields: &[(u64, usize)], change: Option<(usize, u32)>) -> Vec<u8> {
    let field = |(index, (value, width)): (usize, &(u64, usize))| {
        let value = match change {
            Some((changed, by)) if changed == index => value.wrapping_add(by.into()),
            _ => *value,
        };
        value.to_le_bytes()[..*width].to_vec()
    };
    fields.iter().enumerate().flat_map(field).collect()
}

fn zip(parts: &[Part], frame: &Frame) -> Vec<u8> {
    const MAX: u64 = u32::MAX as u64;
    let (mut zip, mut records) = (frame.prefix.clone(), Vec::new());
    for part in parts {
        let offset = zip.len() as u64;
        let mut packed = part.content.clone();
        if part.deflated {
            packed.clear();
            let mut encoder = flate2::read::DeflateEncoder::new(part.content.as_slice(), flate2::Compression::fast());
            std::io::Read::read_to_end(&mut encoder, &mut packed).unwrap();
        }
        if part.counted {
            packed.extend_from_slice(&part.surplus);
        }
        let (crc, size, packed_size) =
            (crc32fast::hash(&part.content).into(), part.content.len() as u64, packed.len() as u64);
        let descriptor = part.sizes != Sizes::InHeaders;
        let flags = if descriptor { 8 } else { 0 };
        let method = if part.deflated { 8 } else { 0 };
        let extra = |present: bool| {
            if present { numbers(&[(1, 2), (16, 2), (size, 8), (packed_size, 8)], None) } else { Vec::new() }
        };
        let told = |zip64: bool, size: u64| if zip64 { MAX } else { size };
        let (local, central) = part.zip64;
        let in_local = |value| if descriptor { 0 } else { value };
        let (local_extra, name) = (extra(local), part.name.as_bytes());
        let change = part.change.filter(|(field, _)| *field < 10);
        zip.extend(numbers(
            &[
                (0x0403_4b50, 4),
                (20, 2),
                (flags, 2),
                (method, 2),
                (0, 4),
                (in_local(crc), 4),
                (in_local(told(local, packed_size)), 4),
                (in_local(told(local, size)), 4),
                (name.len() as u64, 2),
                (local_extra.len() as u64, 2),
            ],
            change,
        ));
        zip.extend([name, &local_extra, &packed].concat());
        if let Sizes::Descriptor { signature, wide } = part.sizes {
            let width = if wide { 8 } else { 4 };
            zip.extend(numbers(&[(0x0807_4b50, if signature { 4 } else { 0 }), (crc, 4)], None));
            zip.extend(numbers(&[(packed_size, width), (size, width)], None));
        }
        if !part.counted {
            zip.extend_from_slice(&part.surplus);
        }
        let central_extra = extra(central);
        let change = part.change.and_then(|(field, by)| Some((field.checked_sub(10)?, by)));
        let mut record = numbers(
            &[
                (0x0201_4b50, 4),
                (0x0314, 2),
                (20, 2),
                (flags, 2),
                (method, 2),
                (0, 4),
                (crc, 4),
                (told(central, packed_size), 4),
                (told(central, size), 4),
                (name.len() as u64, 2),
                (central_extra.len() as u64, 2),
                (0, 4),
                (0, 2),
                (0o100_644 << 16, 4),
                (offset, 4),
            ],
            change,
        );
        record.extend([name, &central_extra].concat());
        records.push(record);
    }
    if frame.reversed {
        records.reverse();
    }
    if frame.hidden {
        records.pop();
    }
    zip.extend_from_slice(&frame.between);
    let (directory, count) = (zip.len() as u64, records.len() as u64);
    zip.extend(records.concat());
    let size = zip.len() as u64 - directory;
    if frame.zip64 {
        let end = zip.len() as u64;
        let record = [(0x0606_4b50, 4), (44, 8), (45, 2), (45, 2), (0, 4), (0, 4)];
        let counts = [(count, 8), (count, 8), (size, 8), (directory, 8)];
        zip.extend(numbers(&[record.as_slice(), &counts].concat(), frame.change));
        zip.extend(numbers(&[(0x0706_4b50, 4), (0, 4), (end, 8), (1, 4)], None));
    }
    let change = frame.change.filter(|_| !frame.zip64);
    let comment = frame.comment.len() as u64;
    let end = [(0x0605_4b50, 4), (0, 2), (0, 2), (count, 2), (count, 2), (size, 4), (directory, 4), (comment, 2)];
    zip.extend(numbers(&end, change));
    zip.extend_from_slice(&frame.comment);
    zip
}

/// Mostly nothing, sometimes bytes that look like parts of a zip.
fn odd_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        12 => Just(Vec::new()),
        1 => prop::collection::vec(any::<u8>(), 1..30),
        1 => prop::sample::select(vec![b"PK\x03\x04".to_vec(), b"PK\x01\x02".to_vec(), b"PK\x05\x06".to_vec(), b"PK\x07\x08".to_vec(), vec![0]]),
    ]
}

/// Mostly nothing, sometimes a field and what is added to it.
fn change(fields: usize) -> impl Strategy<Value = Option<(usize, u32)>> {
    let by = prop_oneof![Just(1), Just(u32::MAX), Just(8), Just(0x800), Just(16), any::<u32>()];
    prop_oneof![5 => Just(None), 1 => (0..fields, by).prop_map(Some)]
}

fn sizes() -> impl Strategy<Value = Sizes> {
    let descriptor = (any::<bool>(), any::<bool>()).prop_map(|(signature, wide)| Sizes::Descriptor { signature, wide });
    prop_oneof![3 => Just(Sizes::InHeaders), 1 => descriptor]
}

prop_compose! {
    fn part(content: Option<&'static str>, name: impl Strategy<Value = String>)(
        name in name,
        content in content.map_or(prop::collection::vec(any::<u8>(), 0..60).boxed(), |text| Just(text.into()).boxed()),
        deflated in any::<bool>(),
        sizes in sizes(),
        zip64 in prop_oneof![4 => Just((false, false)), 1 => any::<(bool, bool)>()],
        change in change(25),
        surplus in odd_bytes(),
        counted in any::<bool>(),
    ) -> Part {
        Part { name, content, deflated, sizes, zip64, change, surplus, counted }
    }
}

prop_compose! {
    fn frame()(
        prefix in odd_bytes(),
        between in odd_bytes(),
        comment in odd_bytes(),
        zip64 in prop_oneof![3 => Just(false), 1 => Just(true)],
        change in change(10),
        reversed in any::<bool>(),
        hidden in prop_oneof![9 => Just(false), 1 => Just(true)],
    ) -> Frame {
        Frame { prefix, between, comment, zip64, change, reversed, hidden }
    }
}

const MANIFEST: &str = "schema_version = 1\nid = \"role\"\nversion = \"1.0.0\"\ntitle = \"T\"\nsummary = \"S\"\n\
    kind = \"role\"\nlicense = \"free\"\nmin_app_version = \"0.1.57\"\n[state]\nremembers_progress = false\n\
    [environment]\nmanager = \"agotalk\"\ndependency_mode = \"none\"\n";

fn package() -> impl Strategy<Value = Vec<u8>> {
    let fixed = |name: &str, text| part(Some(text), Just(name.to_owned()));
    let more = prop::sample::select(vec!["role/a", "role/b/c", "role/b/", "role/a/", "role/é", "role/role.md"]);
    let parts = (
        fixed("role/role.md", "Hello.\n"),
        fixed("role/agotalk.role.toml", MANIFEST),
        prop::collection::vec(part(None, more.prop_map(str::to_owned)), 0..3),
    );
    (parts, frame())
        .prop_map(|((role_md, manifest, more), frame)| zip(&[vec![role_md, manifest], more].concat(), &frame))
}

/// How many archives are tried; `PROPTEST_CASES` asks for more.
fn cases(usual: u32) -> ProptestConfig {
    let wanted = ProptestConfig::default().cases;
    let cases = if wanted == 256 { usual } else { wanted };
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

#[test]
fn archives_that_are_only_unusual_are_accepted_and_read_alike() {
    let runner = &mut proptest::test_runner::TestRunner::new(cases(3000));
    let count = std::cell::Cell::new(0);
    let tried = runner.config().cases;
    runner
        .run(&package(), |zip| {
            count.set(count.get() + u32::from(accepted(zip)));
            Ok(())
        })
        .unwrap();
    // Otherwise nothing was compared.
    assert!(count.get() * 50 > tried, "{} of {tried} were accepted", count.get());
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn archives_with_bytes_changed_moved_or_lost_are_read_alike(
        place in any::<prop::sample::Index>(), length in 1..40_usize, bytes in prop::collection::vec(any::<u8>(), 0..5),
        target in any::<prop::sample::Index>(),
    ) {
        let mut zip = PackageBuilder::role("tutor").comment("comment").file("a.txt", "some text").build().to_vec();
        let at = place.index(zip.len());
        let end = (at + length).min(zip.len());
        let moved: Vec<u8> = zip.splice(at..end, bytes).collect();
        let to = target.index(zip.len() + 1);
        if length % 2 == 0 {
            zip.splice(to..to, moved);
        }
        accepted(zip);
    }
}
