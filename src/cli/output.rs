//! The only place that prints: data on stdout, everything else on stderr.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "printing is what this module is for")]

use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::process::ExitCode;

use annotate_snippets::Renderer;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::diagnostic::Diagnostic;
use super::error::{CliError, Exit};
use crate::config::{Environment, Variable};

/// Where a command's words go, and in which dress.
#[derive(Debug)]
pub(super) struct Output {
    json: bool,
    colours: bool,
}

impl Output {
    /// With `json`, stdout holds one JSON document. Colours are for terminals, and not with `NO_COLOR`.
    pub(super) fn new(json: bool, environment: &Environment) -> Self {
        Self { json, colours: matches!(environment.text(Variable::NoColor), Ok(None)) }
    }

    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// The renderer of reports, which are data.
    pub(super) fn renderer(&self) -> Renderer {
        renderer(self.colours && io::stdout().is_terminal())
    }

    /// What went wrong, on stderr.
    pub(super) fn complain(&self, error: &CliError) {
        let diagnostic = Diagnostic {
            code: error.code.as_deref(),
            hint: error.hint.as_deref(),
            ..Diagnostic::error(&error.message)
        };
        eprintln!("{}", diagnostic.render(&renderer(self.colours && io::stderr().is_terminal()), None));
    }

    /// Why the command has no result: on stderr, and with JSON as the document on stdout too.
    pub(super) fn error(&self, error: &CliError) {
        self.complain(error);
        if self.json {
            let CliError { code, message, hint, .. } = error;
            println!("{:#}", serde_json::json!({ "error": { "code": code, "message": message, "hint": hint } }));
        }
    }

    /// A bar for an upload of `total` bytes, on a terminal only.
    pub(super) fn upload_bar(&self, total: u64) -> ProgressBar {
        if self.json || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("uploading {wide_bar} {bytes}/{total_bytes} {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style)
    }
}

/// A command's result as a JSON document.
pub(super) fn json(document: &impl Serialize) -> Result<(), CliError> {
    let text = serde_json::to_string_pretty(document)
        .map_err(|error| CliError::fault(format!("the answer cannot be written as JSON: {error}")))?;
    data(&text)
}

/// A command's result as text.
pub(super) fn data(text: &str) -> Result<(), CliError> {
    match writeln!(io::stdout(), "{text}").and_then(|()| io::stdout().flush()) {
        Ok(()) => Ok(()),
        // Whoever reads us has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(CliError::fault(format!("stdout cannot be written: {error}"))),
    }
}

/// A remark about how the work goes.
pub(super) fn note(text: &str) {
    eprintln!("{text}");
}

fn renderer(colours: bool) -> Renderer {
    if colours { Renderer::styled() } else { Renderer::plain() }
}

/// Prints help, the version or a usage error, each where it belongs.
pub(super) fn usage(message: &clap::Error) -> ExitCode {
    match message.print() {
        Ok(()) if !message.use_stderr() => Exit::Done.into(),
        _ => Exit::Fault.into(),
    }
}
