//! Names of queues, namespaces and targets.
//!
//! A name is data, never a path: `../x` is a valid queue name. Only names that the key format or the wire format cannot
//! hold are rejected, in the order and with the texts of the queue API, because clients compare those texts.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::as_text::serde_as_text;

/// A rejected name. The error text is part of the queue API.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("{what} name is invalid; cannot be greater than '{bytes_max}' characters")]
    TooLong { what: &'static str, bytes_max: usize },
    #[error("{what} name is invalid; {}cannot be empty", if *.what == "queue" { "queue name " } else { "" })]
    Empty { what: &'static str },
    #[error("{what} name is invalid; '{name}' cannot contain whitespace")]
    Whitespace { what: &'static str, name: String },
    #[error("{what} name is invalid; '{name}' cannot contain '{character}' character")]
    Character { what: &'static str, name: String, character: char },
}

macro_rules! name {
    ($(#[$meta:meta])* $Name:ident, $what:literal, at most $bytes_max:literal bytes, without $banned:expr) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $Name(Arc<str>);

        impl $Name {
            pub const BYTES_MAX: usize = $bytes_max;

            pub fn new(name: &str) -> Result<Self, NameError> {
                check(name, $what, Self::BYTES_MAX, &$banned)?;
                Ok(Self(Arc::from(name)))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl FromStr for $Name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                Self::new(text)
            }
        }

        /// Maps keyed by a name can be searched by `&str`.
        impl std::borrow::Borrow<str> for $Name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $Name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        serde_as_text!($Name);
    };
}

name! {
    /// The name of a queue, unique in a store.
    ///
    /// ```
    /// use redrive_core::QueueName;
    ///
    /// assert!(QueueName::new("../orders").is_ok());
    /// let error = QueueName::new("orders~1").unwrap_err();
    /// assert_eq!(error.to_string(), "queue name is invalid; 'orders~1' cannot contain '~' character");
    /// ```
    QueueName, "queue", at most 512 bytes, without ['~']
}

name! {
    /// The name of a namespace. Names with a leading `_` are reserved for the system.
    NamespaceName, "namespace", at most 256 bytes, without ['~', ':']
}

name! {
    /// The name of a target, unique in a configuration.
    TargetName, "target", at most 256 bytes, without ['~', ':']
}

impl NamespaceName {
    /// Whether only the system may create or change this namespace.
    pub fn is_reserved(&self) -> bool {
        self.0.starts_with('_')
    }
}

fn check(name: &str, what: &'static str, bytes_max: usize, banned: &[char]) -> Result<(), NameError> {
    if name.len() > bytes_max {
        return Err(NameError::TooLong { what, bytes_max });
    }
    if name.trim().is_empty() {
        return Err(NameError::Empty { what });
    }
    if name.contains(char::is_whitespace) {
        return Err(NameError::Whitespace { what, name: name.to_owned() });
    }
    match banned.iter().find(|banned| name.contains(**banned)) {
        Some(&character) => Err(NameError::Character { what, name: name.to_owned(), character }),
        None => Ok(()),
    }
}
