//! Makes what is checked in out of the definitions in `proto/`: the types of `redrive-proto`, their JSON form, and the
//! description of the API.
//!
//! It is a crate of its own so that no build needs a compiler of protobuf. `cargo xtask generate` runs it; its test says
//! when what is checked in is out of date.

mod openapi;
mod types;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// What is made, by its path from the root of the workspace.
pub type Files = BTreeMap<PathBuf, String>;

const DEFINITIONS: [&str; 8] = [
    "duh/v1/reply.proto",
    "querator/queue.proto",
    "querator/queues.proto",
    "querator/storage.proto",
    "querator/tenancy.proto",
    "redrive/v1/letters.proto",
    "redrive/v1/queue.proto",
    "redrive/v1/search.proto",
];

/// Everything that is made from the definitions of a workspace.
pub fn generate(root: &Path) -> anyhow::Result<Files> {
    let definitions =
        protox::compile(DEFINITIONS, [root.join("proto")]).map_err(|error| anyhow::anyhow!("{error:?}"))?;
    let mut files = types::files(&definitions).context("the types could not be made")?;
    files.insert("docs/openapi.json".into(), openapi::document(&definitions)?);
    Ok(files)
}

/// The root of the workspace that this was built in.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
