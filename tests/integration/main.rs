//! Everything that is tested through a public boundary, in one binary so that it links once.
#![cfg(test)]

mod architecture;
mod archive_agreement;
mod bounds;
mod cli;
mod client;
mod crash;
#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "in the fuzzing crate it is a library")]
mod fuzz;
mod fuzz_corpus;
mod package_cases;
mod package_codes;
mod package_locks;
mod package_rule_by_rule;
mod package_rules;
mod pictures;
mod publishing;
mod reading;
mod search;
mod site;
mod storage;
mod support;
