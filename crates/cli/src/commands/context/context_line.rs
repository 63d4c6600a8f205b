//! A context as a line of JSON, as a row of a table, or as fields.

use std::path::Path;

use serde::Serialize;

use crate::console::{Align, Fields, or_dash};
use crate::session::{Context, ContextName, DEFAULT_SERVER};

/// A line of `--output json`. It always has every field.
#[derive(Debug, Serialize)]
pub(super) struct ContextLine {
    name: String,
    /// Whether commands use this context.
    is_current: bool,
    server: String,
    key_file: Option<String>,
    ca_file: Option<String>,
    namespace: Option<String>,
}

impl ContextLine {
    pub(super) fn new(name: &ContextName, context: &Context, is_current: bool) -> Self {
        let shown = |path: &Option<std::path::PathBuf>| path.as_deref().map(Path::display).map(|path| path.to_string());
        Self {
            name: name.to_string(),
            is_current,
            server: context.server.clone().unwrap_or_else(|| DEFAULT_SERVER.to_owned()),
            key_file: shown(&context.key_file),
            ca_file: shown(&context.ca_file),
            namespace: context.namespace.clone(),
        }
    }

    pub(super) fn row(&self) -> Vec<String> {
        let cell = |text: &Option<String>| or_dash(text.as_deref().unwrap_or_default()).to_owned();
        vec![
            if self.is_current { "*" } else { "" }.to_owned(),
            self.name.clone(),
            self.server.clone(),
            cell(&self.namespace),
            cell(&self.key_file),
        ]
    }

    pub(super) fn fields(&self) -> Fields {
        let cell = |text: &Option<String>| or_dash(text.as_deref().unwrap_or_default()).to_owned();
        Fields::new()
            .with("name", &self.name)
            .with("current", if self.is_current { "yes" } else { "no" })
            .with("server", &self.server)
            .with("namespace", &cell(&self.namespace))
            .with("key file", &cell(&self.key_file))
            .with("CA file", &cell(&self.ca_file))
    }
}

pub(super) const HEADER: &[(&str, Align)] = &[
    ("", Align::Text),
    ("NAME", Align::Text),
    ("SERVER", Align::Text),
    ("NAMESPACE", Align::Text),
    ("KEY FILE", Align::Text),
];
