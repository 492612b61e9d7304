//! Every input that fuzzing began with or stumbled over, once more.

use std::path::Path;

use crate::fuzz::TARGETS;

#[test]
fn every_input_of_the_fuzzing_corpora_is_answered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in TARGETS {
        let inputs = std::fs::read_dir(root.join(name)).unwrap();
        let count = inputs.map(|input| target(&std::fs::read(input.unwrap().path()).unwrap())).count();
        assert!(count > 0, "{name} has a corpus");
    }
}

#[test]
fn every_case_is_answered_by_the_targets_for_whole_archives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/files");
    for case in std::fs::read_dir(folder).unwrap() {
        crate::fuzz::archive(&std::fs::read(case.unwrap().path()).unwrap());
    }
}
