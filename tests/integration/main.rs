//! Everything that is tested through a public boundary, in one binary so that it links once.
#![cfg(test)]

mod architecture;
mod cli;
mod client;
mod crash;
mod package_cases;
mod package_rules;
mod publishing;
mod reading;
mod search;
mod site;
mod storage;
mod support;
