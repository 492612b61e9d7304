//! The `role-catalog` binary: everything is in the library.

fn main() {}
