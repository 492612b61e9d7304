//! What the tests share.

pub(crate) mod package_builder;
