//! The resident memory of the process.

use anyhow::{Context, Result};

pub(crate) fn resident_bytes() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS in /proc/self/status")?;
    let kib: u64 = line.split_whitespace().nth(1).context("no VmRSS in /proc/self/status")?.parse()?;
    Ok(kib * 1024)
}
