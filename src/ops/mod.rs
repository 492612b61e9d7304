//! The operator's work (layer 6): what runs beside the web, on the same catalog and store.

mod demo;
mod runtime;

pub use demo::{DemoError, DemoReport, publish_demo};
pub use runtime::{OpenError, Opened, open};
