//! The metrics of the process and of the build, under the names that Prometheus recommends.
//!
//! They are read from `/proc`. On a system without it, they have no series.

use std::fs;

use super::page::Page;

/// The unit of times in `/proc`, which the kernel reports to programs on every common architecture.
const TICKS_PER_SECOND: f64 = 100.0;
const KIBIBYTE: f64 = 1_024.0;

type Figure = fn() -> Option<f64>;

const FIGURES: [(&str, &str, &str, Figure); 6] = [
    ("process_cpu_seconds_total", "counter", "User and system CPU time of the process", cpu_seconds),
    ("process_resident_memory_bytes", "gauge", "Memory of the process in RAM", || memory_bytes("VmRSS:")),
    ("process_virtual_memory_bytes", "gauge", "Virtual memory of the process", || memory_bytes("VmSize:")),
    ("process_open_fds", "gauge", "Open file descriptors of the process", open_descriptors),
    ("process_max_fds", "gauge", "Maximum number of open file descriptors", descriptors_max),
    ("process_start_time_seconds", "gauge", "Start of the process, in seconds since 1970", start_seconds),
];

pub(super) fn render(page: &mut Page) {
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    page.metric("redrive_build_info", "gauge", "1, with the version of the server as a label", [(version, 1)]);
    for (name, kind, means, figure) in FIGURES {
        if let Some(value) = figure() {
            page.metric(name, kind, means, [([], value)]);
        }
    }
}

fn cpu_seconds() -> Option<f64> {
    Some((stat_field(14)? + stat_field(15)?) / TICKS_PER_SECOND)
}

fn start_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let boot = number(stat.lines().find_map(|line| line.strip_prefix("btime "))?)?;
    Some(boot + stat_field(22)? / TICKS_PER_SECOND)
}

/// A field of `/proc/self/stat`, counted from 1. The second one, the name of the program, may contain spaces.
fn stat_field(field: usize) -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, after_name) = stat.rsplit_once(") ")?;
    number(after_name.split(' ').nth(field - 3)?)
}

fn memory_bytes(name: &str) -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(number(line.trim().strip_suffix(" kB")?)? * KIBIBYTE)
}

#[expect(clippy::cast_precision_loss, reason = "a metric is a float")]
fn open_descriptors() -> Option<f64> {
    // One of them is that of this directory.
    Some(fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1) as f64)
}

fn descriptors_max() -> Option<f64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    number(line.split_whitespace().next()?)
}

/// Parses a number; `None` for `unlimited`.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}
