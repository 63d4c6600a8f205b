//! How much memory the process takes.

use anyhow::{Context, Result};

pub(crate) fn resident_bytes() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no resident size")?;
    let kib: u64 = line.split_whitespace().nth(1).context("no resident size")?.parse()?;
    Ok(kib * 1024)
}
