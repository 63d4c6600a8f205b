//! Generates checked-in files from the definitions in `proto/`: the types of `redrive-proto`, their JSON encoding, and
//! the OpenAPI document `docs/openapi.json`.
//!
//! It is a separate crate so that no other build needs a protobuf compiler. `cargo xtask generate` runs it; its test
//! fails when the checked-in files are out of date.

mod openapi;
mod types;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The text of each generated file, by its path relative to the workspace root.
pub type Files = BTreeMap<PathBuf, String>;

const DEFINITIONS: [&str; 13] = [
    "duh/v1/reply.proto",
    "querator/queue.proto",
    "querator/queues.proto",
    "querator/storage.proto",
    "querator/tenancy.proto",
    "redrive/v1/audit.proto",
    "redrive/v1/fault.proto",
    "redrive/v1/letters.proto",
    "redrive/v1/queue.proto",
    "redrive/v1/routes.proto",
    "redrive/v1/search.proto",
    "redrive/v1/status.proto",
    "redrive/v1/whoami.proto",
];

/// Generates all files from the definitions in the workspace at `root`. Writes nothing.
pub fn generate(root: &Path) -> anyhow::Result<Files> {
    let definitions =
        protox::compile(DEFINITIONS, [root.join("proto")]).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let mut files = types::files(&definitions).context("failed to generate the message types")?;
    files.insert("docs/openapi.json".into(), openapi::document(&definitions)?);
    Ok(files)
}

/// The root of the workspace that this crate was built in.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
