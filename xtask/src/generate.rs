//! Makes what is checked in out of the definitions; `cargo xtask test` says when it is out of date.

use anyhow::Result;

use crate::cargo::{cargo, run as run_command};

pub(crate) fn run() -> Result<()> {
    run_command(cargo().args(["run", "--quiet", "--package", "redrive-generate"]))
}
