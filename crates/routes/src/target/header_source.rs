//! Where the value of a header comes from.

use std::fmt;
use std::path::{Path, PathBuf};

use redrive_run::Secret;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{TargetError, files};

/// Where the value of a header comes from. Values are never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderSource {
    Text(Secret),
    /// A file, read whenever the target is started. One line break at its end is not part of the value.
    File(PathBuf),
    /// An environment variable.
    Variable(String),
}

impl HeaderSource {
    const FILE_BYTES_MAX: u64 = 64 * 1024;

    /// The value of the header of this name.
    pub(super) fn value(&self, header: &str) -> Result<Secret, TargetError> {
        // An operator may have put the whole line into the name, with its secret.
        let name = header.split([':', '=', ' ']).next().unwrap_or_default();
        let setting = || format!("headers.{name}");
        match self {
            Self::Text(value) => Ok(value.clone()),
            Self::File(file) => secret_of(&setting(), file),
            Self::Variable(variable) => {
                let value = std::env::var(variable).ok().filter(|value| !value.is_empty());
                let missing = || TargetError::NoVariable { setting: setting(), variable: variable.clone() };
                value.map(Secret::from).ok_or_else(missing)
            }
        }
    }
}

fn secret_of(setting: &str, file: &Path) -> Result<Secret, TargetError> {
    let bytes = files::read(setting, file, HeaderSource::FILE_BYTES_MAX)?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(TargetError::NotText { setting: setting.to_owned(), file: file.to_owned() });
    };
    let value = text.strip_suffix('\n').map_or(text.as_str(), |line| line.strip_suffix('\r').unwrap_or(line));
    if value.is_empty() {
        return Err(TargetError::EmptyFile { setting: setting.to_owned(), file: file.to_owned() });
    }
    Ok(value.into())
}

/// A text, `{ file = "…" }` or `{ env = "…" }`. No error shows what was found instead: it may be a secret.
impl<'de> Deserialize<'de> for HeaderSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SourceVisitor)
    }
}

struct SourceVisitor;

const ALLOWED: &str = r#"the value of a header is a text, { file = "…" } or { env = "…" }"#;

impl<'de> Visitor<'de> for SourceVisitor {
    type Value = HeaderSource;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"a text, { file = "…" } or { env = "…" }"#)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<HeaderSource, E> {
        Ok(HeaderSource::Text(text.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<HeaderSource, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<String>()? {
            let source = match (key.as_str(), &found) {
                ("file", None) => HeaderSource::File(map.next_value()?),
                ("env", None) => HeaderSource::Variable(map.next_value()?),
                _ => return Err(A::Error::custom(ALLOWED)),
            };
            found = Some(source);
        }
        found.ok_or_else(|| A::Error::custom(ALLOWED))
    }

    fn visit_bool<E: Error>(self, _found: bool) -> Result<HeaderSource, E> {
        Err(E::custom(ALLOWED))
    }

    fn visit_i64<E: Error>(self, _found: i64) -> Result<HeaderSource, E> {
        Err(E::custom(ALLOWED))
    }

    fn visit_f64<E: Error>(self, _found: f64) -> Result<HeaderSource, E> {
        Err(E::custom(ALLOWED))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<HeaderSource, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Err(A::Error::custom(ALLOWED))
    }
}
