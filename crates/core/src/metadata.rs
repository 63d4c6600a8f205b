//! Caller-defined metadata of work items and letters.

use std::collections::BTreeMap;

/// JSON values by name. The size limit of a letter's metadata is checked on capture.
pub type Metadata = BTreeMap<String, serde_json::Value>;
