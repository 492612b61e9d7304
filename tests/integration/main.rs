//! Everything that is tested through a public boundary, in one binary so that it links once.
#![cfg(test)]

mod architecture;
mod package_cases;
mod package_codes;
mod package_locks;
mod package_rule_by_rule;
mod package_rules;
mod storage;
mod support;
