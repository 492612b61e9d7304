//! role-catalog: validate, publish, browse and serve Agotalk role packages.

pub mod catalog;
pub mod domain;
pub mod package;
pub mod projection;
pub mod publish;
pub mod storage;
