//! role-catalog: validate, publish, browse and serve Agotalk role packages.

pub mod catalog;
pub mod domain;
pub mod i18n;
pub mod package;
pub mod web;
