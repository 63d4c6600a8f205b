//! Parse errors that name the setting and hide its value.

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads settings. The text of an error names the setting that is wrong.
pub(super) fn named_errors<T: DeserializeOwned>(written: &Value) -> Result<T, String> {
    let read = |value: &Value| T::deserialize(value).map_err(|error| without_value(&error.to_string()));
    read(written).map_err(|error| {
        // The parser does not tell where it was. A setting alone fails in the same way.
        let missing = error.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
        let is_cause = |(name, value): &(&String, &Value)| {
            // Without its other settings, any table lacks them.
            let lacks = |field| value.as_object().is_some_and(|table| !table.contains_key(field));
            if missing.is_some_and(|field| !lacks(field)) {
                return false;
            }
            let alone = Value::Object(serde_json::Map::from_iter([((*name).clone(), (*value).clone())]));
            read(&alone).is_err_and(|found| found == error)
        };
        match written.as_object().and_then(|table| table.iter().find(is_cause)) {
            Some((name, _)) if !error.starts_with(name) && !error.contains(&format!("`{name}`")) => {
                format!("{name}: {error}")
            }
            _ => error,
        }
    })
}

/// The text of a parse error without the value that was found in place of another one: it may be a secret.
pub fn without_value(message: &str) -> String {
    const KINDS: [&str; 5] = ["string", "integer", "floating point", "boolean", "byte array"];
    for prefix in ["invalid type: ", "invalid value: "] {
        let Some((before, found)) = message.split_once(prefix) else { continue };
        let Some((_, expected)) = found.rsplit_once(", expected ") else { continue };
        if let Some(kind) = KINDS.iter().find(|kind| found.starts_with(*kind)) {
            return format!("{before}{prefix}{kind}, expected {expected}");
        }
    }
    message.to_owned()
}

#[cfg(test)]
mod tests {
    use super::without_value;

    #[test]
    fn values_are_removed_from_parse_errors() {
        let cases = [
            ("invalid type: integer `123456`, expected a string", "invalid type: integer, expected a string"),
            ("invalid type: string \"5ecret, expected x\", expected a map", "invalid type: string, expected a map"),
            ("invalid type: floating point `1.5`, expected u64", "invalid type: floating point, expected u64"),
            ("invalid value: integer `-7`, expected u64", "invalid value: integer, expected u64"),
            ("invalid type: map, expected a string", "invalid type: map, expected a string"),
            ("unknown field `colour`, expected `name`", "unknown field `colour`, expected `name`"),
        ];
        for (message, expected) in cases {
            assert_eq!(without_value(message), expected);
        }
    }
}
