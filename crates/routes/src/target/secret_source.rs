//! Where a value that may be a secret comes from.

use std::fmt;
use std::path::{Path, PathBuf};

use redrive_run::Secret;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{TargetError, files};

/// Where a value that may be a secret comes from, such as that of a header. Values are never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretSource {
    Text(Secret),
    /// A file, read whenever its user is started. One line break at its end is not part of the value.
    File(PathBuf),
    /// An environment variable.
    Variable(String),
}

impl SecretSource {
    const FILE_BYTES_MAX: u64 = 64 * 1024;

    /// The value for an entry of a table of settings, such as `headers`.
    pub(crate) fn value(&self, table: &str, entry: &str) -> Result<Secret, TargetError> {
        self.plain(table, entry).map(Secret::from)
    }

    /// The same as a text, for a library that takes one.
    pub(crate) fn plain(&self, table: &str, entry: &str) -> Result<String, TargetError> {
        let setting = || format!("{table}.{}", entry_name(entry));
        match self {
            Self::Text(value) => Ok(value.reveal().to_owned()),
            Self::File(file) => secret_of(&setting(), file),
            Self::Variable(variable) => {
                let value = std::env::var(variable).ok().filter(|value| !value.is_empty());
                value.ok_or_else(|| TargetError::NoVariable { setting: setting(), variable: variable.clone() })
            }
        }
    }
}

/// The name of an entry, for an error: an operator may have put the whole line into it, with its secret.
pub(crate) fn entry_name(entry: &str) -> &str {
    entry.split([':', '=', ' ']).next().unwrap_or_default()
}

fn secret_of(setting: &str, file: &Path) -> Result<String, TargetError> {
    let bytes = files::read(setting, file, SecretSource::FILE_BYTES_MAX)?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(TargetError::NotText { setting: setting.to_owned(), file: file.to_owned() });
    };
    let value = text.strip_suffix('\n').map_or(text.as_str(), |line| line.strip_suffix('\r').unwrap_or(line));
    if value.is_empty() {
        return Err(TargetError::EmptyFile { setting: setting.to_owned(), file: file.to_owned() });
    }
    Ok(value.to_owned())
}

/// A text, `{ file = "…" }` or `{ env = "…" }`. No error shows what was found instead: it may be a secret.
impl<'de> Deserialize<'de> for SecretSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SourceVisitor)
    }
}

struct SourceVisitor;

const ALLOWED: &str = r#"a value is a text, { file = "…" } or { env = "…" }"#;

impl<'de> Visitor<'de> for SourceVisitor {
    type Value = SecretSource;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"a text, { file = "…" } or { env = "…" }"#)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SecretSource, E> {
        Ok(SecretSource::Text(text.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SecretSource, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<String>()? {
            let source = match (key.as_str(), &found) {
                ("file", None) => SecretSource::File(map.next_value()?),
                ("env", None) => SecretSource::Variable(map.next_value()?),
                _ => return Err(A::Error::custom(ALLOWED)),
            };
            found = Some(source);
        }
        found.ok_or_else(|| A::Error::custom(ALLOWED))
    }

    fn visit_bool<E: Error>(self, _found: bool) -> Result<SecretSource, E> {
        Err(E::custom(ALLOWED))
    }

    fn visit_i64<E: Error>(self, _found: i64) -> Result<SecretSource, E> {
        Err(E::custom(ALLOWED))
    }

    fn visit_f64<E: Error>(self, _found: f64) -> Result<SecretSource, E> {
        Err(E::custom(ALLOWED))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<SecretSource, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Err(A::Error::custom(ALLOWED))
    }
}
