//! Generates the checked-in code and documents from the definitions in `proto/`; `cargo xtask test` fails if they are
//! out of date.

use anyhow::Result;

use crate::cargo::{cargo, run as run_command};

pub(crate) fn run() -> Result<()> {
    run_command(cargo().args(["run", "--quiet", "--package", "redrive-generate"]))
}
