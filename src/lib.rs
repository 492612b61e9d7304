//! role-catalog: validate, publish, browse and serve Agotalk role packages.

pub mod catalog;
pub mod cli;
pub mod client;
pub mod config;
pub mod domain;
pub mod folder;
pub mod package;
pub mod projection;
pub mod publish;
pub mod storage;
pub mod telemetry;
