//! What the operating system knows about this process.

use std::time::Duration;

use anyhow::{Context, Result};

/// The processor time of all threads so far, with a resolution of 10 ms.
pub(crate) fn cpu_time() -> Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The second field is the name of the program in brackets, which may contain anything.
    let (_, fields) = stat.rsplit_once(')').context("no name in /proc/self/stat")?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>).sum::<Result<u64, _>>()?;
    Ok(Duration::from_millis(ticks * 10))
}

/// Its resident memory.
pub(crate) fn resident_bytes() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS in /proc/self/status")?;
    let kib: u64 = line.split_whitespace().nth(1).context("no VmRSS in /proc/self/status")?.parse()?;
    Ok(kib * 1024)
}
