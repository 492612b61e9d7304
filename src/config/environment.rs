//! The one way to the process environment.

use std::env::VarError;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{ConfigFault, Variable};

/// Where environment variables come from: the process, or a list in tests.
#[derive(Clone)]
pub struct Environment(Arc<Lookup>);

type Lookup = dyn Fn(&str) -> Result<String, VarError> + Send + Sync;

impl Environment {
    /// The environment of this process.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the process")]
    pub fn process() -> Self {
        Self(Arc::new(|name| std::env::var(name)))
    }

    /// An environment of exactly these variables.
    #[must_use]
    pub fn of(variables: &[(Variable, &str)]) -> Self {
        let variables: Vec<_> =
            variables.iter().map(|(variable, value)| (variable.name(), (*value).to_owned())).collect();
        Self(Arc::new(move |name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.clone()).ok_or(VarError::NotPresent)
        }))
    }

    /// The variable's text; an empty one counts as not set, as compose files pass unset ones on.
    ///
    /// # Errors
    /// [`ConfigFault::Invalid`] when it is not UTF-8.
    pub fn text(&self, variable: Variable) -> Result<Option<String>, ConfigFault> {
        match (self.0)(variable.name()) {
            Ok(text) => Ok(Some(text).filter(|text| !text.is_empty())),
            Err(VarError::NotPresent) => Ok(None),
            Err(VarError::NotUnicode(_)) => {
                Err(ConfigFault::Invalid { variable, reason: "it is not UTF-8 text".to_owned() })
            }
        }
    }

    /// The variable, parsed.
    ///
    /// # Errors
    /// [`ConfigFault::Invalid`] when it does not parse.
    pub fn parse<T: FromStr<Err: fmt::Display>>(&self, variable: Variable) -> Result<Option<T>, ConfigFault> {
        let parse = |text: String| {
            text.parse().map_err(|error: T::Err| ConfigFault::Invalid { variable, reason: error.to_string() })
        };
        self.text(variable)?.map(parse).transpose()
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Environment")
    }
}
