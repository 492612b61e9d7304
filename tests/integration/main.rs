//! Everything that is tested through a public boundary, in one binary so that it links once.
#![cfg(test)]

mod architecture;
mod package_cases;
mod package_rules;
mod pictures;
mod storage;
mod support;
