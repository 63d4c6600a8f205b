//! Options for metadata.

use redrive_core::Metadata;
use serde_json::{Map, Value};

#[derive(Debug, clap::Args)]
pub(crate) struct MetadataOptions {
    /// Metadata entry with a text value. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_pair)]
    metadata: Vec<(String, String)>,
    /// Metadata entries as a JSON object. Repeatable; --metadata takes precedence.
    #[arg(long, value_name = "OBJECT", value_parser = parse_object)]
    metadata_json: Vec<Map<String, Value>>,
}

impl MetadataOptions {
    pub(crate) fn metadata(&self) -> Metadata {
        let values = self.metadata_json.iter().flatten().map(|(name, value)| (name.clone(), value.clone()));
        let texts = self.metadata.iter().map(|(name, text)| (name.clone(), text.clone().into()));
        values.chain(texts).collect()
    }
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

fn parse_object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("expected a JSON object, as in '{{\"amount\": 3}}': {error}"))
}
