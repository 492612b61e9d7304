//! The HTTP face (layer 6).

pub mod pages;
