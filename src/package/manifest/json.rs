//! The whole manifest as JSON, unknown keys included.

use serde_json::{Map, Number, Value};
use toml::de::{DeTable, DeValue};

/// Why a TOML document cannot be carried as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotJson {
    #[error("tables and arrays are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    #[error("a number is outside the range of TOML")]
    Range,
}

/// Well inside what JSON readers accept.
const MAX_DEPTH: usize = 64;

/// Dates and times become strings, and so do the floats that JSON cannot write.
pub(super) fn from_table(table: &DeTable<'_>) -> Result<Value, NotJson> {
    object(table, MAX_DEPTH)
}

fn object(table: &DeTable<'_>, depth_left: usize) -> Result<Value, NotJson> {
    let depth_left = depth_left.checked_sub(1).ok_or(NotJson::TooDeep)?;
    let mut object = Map::new();
    for (key, field) in table {
        object.insert(key.get_ref().to_string(), value(field.get_ref(), depth_left)?);
    }
    Ok(Value::Object(object))
}

fn value(toml: &DeValue<'_>, depth_left: usize) -> Result<Value, NotJson> {
    Ok(match toml {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(_) => toml.as_integer().and_then(integer).ok_or(NotJson::Range)?.into(),
        DeValue::Float(float) => {
            let number = float.as_str().parse().ok().and_then(Number::from_f64);
            number.map_or_else(|| Value::String(float.as_str().to_owned()), Value::Number)
        }
        DeValue::Boolean(boolean) => Value::Bool(*boolean),
        DeValue::Datetime(datetime) => Value::String(datetime.to_string()),
        DeValue::Array(items) => {
            let depth_left = depth_left.checked_sub(1).ok_or(NotJson::TooDeep)?;
            Value::Array(items.iter().map(|item| value(item.get_ref(), depth_left)).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => object(table, depth_left)?,
    })
}

/// The integer's value, written in whatever base; TOML's integers have 64 bits.
pub(super) fn integer(integer: &toml::de::DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}
