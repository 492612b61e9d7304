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

#[cfg(test)]
mod tests {
    use super::*;

    fn json(toml: &str) -> Result<Value, NotJson> {
        from_table(DeTable::parse(toml).unwrap().get_ref())
    }

    #[test]
    fn every_kind_of_value_has_a_form_in_json() {
        let toml = "i = 0x10\nn = -1_000\nf = 1.5\ninf = -inf\nnan = nan\nb = true\nd = 1979-05-27T07:32:00Z\n\
                    a = [1, ['x']]\n[t.u]\ns = \"é\"\n[[aot]]\n[[aot]]\nx = 1\n";
        let expected = serde_json::json!({
            "i": 16, "n": -1000, "f": 1.5, "inf": "-inf", "nan": "nan", "b": true, "d": "1979-05-27T07:32:00Z",
            "a": [1, ["x"]], "t": {"u": {"s": "é"}}, "aot": [{}, {"x": 1}],
        });
        assert_eq!(json(toml).unwrap(), expected);
    }

    #[test]
    fn what_json_or_toml_cannot_carry_is_refused() {
        assert_eq!(json("a = 9223372036854775808"), Err(NotJson::Range));
        let deep = |depth: usize| format!("a = {}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(json(&deep(MAX_DEPTH - 1)).is_ok());
        assert_eq!(json(&deep(MAX_DEPTH)), Err(NotJson::TooDeep));
    }
}
