//! The `role-catalog` binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    role_catalog::cli::main()
}
