//! What the tests share.

pub(crate) mod app;
pub(crate) mod package_builder;
