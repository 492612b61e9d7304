//! `check`: every problem of a package, and nothing else happens.

use super::args::{CheckArgs, Purpose};
use super::error::{CliError, Exit};
use super::output::Output;
use super::source::Source;
use super::verdict::Verdict;
use crate::domain::Limits;

pub(super) fn run(args: &CheckArgs, output: &Output) -> Result<Exit, CliError> {
    let limits = Limits::default();
    let source = Source::read(&args.package, &limits)?;
    let directory = source.directory();
    match args.purpose {
        Purpose::Import => Verdict::of(&source.check_import(&limits)).tell(directory, output),
        Purpose::Publish => match source.validate(&limits, args.min_app_version.min_app_version) {
            Ok(package) => Verdict::valid(&package).tell(directory, output),
            Err(report) => Verdict::of(&report).tell(directory, output),
        },
    }
}
