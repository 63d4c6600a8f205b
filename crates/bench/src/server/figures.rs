//! The list of figures, and how they are measured: everybody in turn, three times over.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use tokio::runtime::Runtime;

use super::load::Load;
use super::peers::{rabbitmq, redis};
use crate::figure::{Figure, Reference, Target};
use crate::folder::Folder;
use crate::plain::Plain;

const UNIT: &str = "items/s of 1 KiB, durable";
const RUNS: usize = 3;
const PLAIN: Duration = Duration::from_millis(300);
/// A peer is there to be compared with, whatever it reaches.
const NO_TARGET: Target = Target::Orientation(0.0);

const LOADS: [(Load, Names); 3] = [
    (
        Load { batch: 1, connections: 8, items: 8_000 },
        Names { rabbitmq: "rabbitmq cycle/1 by 8", redis: "redis cycle/1 by 8" },
    ),
    (
        Load { batch: 100, connections: 1, items: 20_000 },
        Names { rabbitmq: "rabbitmq cycle/100", redis: "redis cycle/100" },
    ),
    (
        Load { batch: 1000, connections: 1, items: 50_000 },
        Names { rabbitmq: "rabbitmq cycle/1000", redis: "redis cycle/1000" },
    ),
];

/// What the figures of one load are called.
struct Names {
    rabbitmq: &'static str,
    redis: &'static str,
}

pub(crate) fn figures() -> Result<Vec<Figure>> {
    let peers = Peers {
        runtime: tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?,
        rabbitmq: address("REDRIVE_TEST_RABBITMQ")?,
        redis: address("REDRIVE_TEST_REDIS_DURABLE")?,
    };
    let mut figures = Vec::new();
    for (load, names) in LOADS {
        eprintln!("… batches of {} over {} connections", load.batch, load.connections);
        let rounds = (0..RUNS).map(|_| peers.round(load)).collect::<Result<Vec<Round>>>()?;
        figures.push(median(names.rabbitmq, rounds.iter().map(|round| (round.rabbitmq, round.plain))));
        figures.push(median(names.redis, rounds.iter().map(|round| (round.redis, round.plain))));
    }
    Ok(figures)
}

fn address(variable: &str) -> Result<SocketAddr> {
    let text = std::env::var(variable)
        .with_context(|| format!("{variable} is not set; run cargo xtask bench server, which starts what is needed"))?;
    text.parse().with_context(|| format!("{variable} is not an address"))
}

/// Everybody who is measured, where they are.
struct Peers {
    runtime: Runtime,
    rabbitmq: SocketAddr,
    redis: SocketAddr,
}

/// Items a second of everybody, measured within a few seconds.
struct Round {
    plain: f64,
    rabbitmq: f64,
    redis: f64,
}

impl Peers {
    fn round(&self, load: Load) -> Result<Round> {
        Ok(Round {
            plain: plain(load.batch)?,
            rabbitmq: self.runtime.block_on(rabbitmq::rate(self.rabbitmq, load))?,
            redis: self.runtime.block_on(redis::rate(self.redis, load))?,
        })
    }
}

/// One writer that appends a batch and syncs it, again and again.
#[expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]
fn plain(batch: u16) -> Result<f64> {
    let folder = Folder::new("server")?;
    let mut plain = Plain::open(folder.path(), u32::from(batch))?;
    let mut items = 0.0;
    let begin = Instant::now();
    while begin.elapsed() < PLAIN {
        plain.append()?;
        items += f64::from(batch);
    }
    Ok(items / begin.elapsed().as_secs_f64())
}

/// The run in the middle, by its ratio to the reference of the same round.
fn median(name: &'static str, runs: impl Iterator<Item = (f64, f64)>) -> Figure {
    let mut runs: Vec<(f64, f64)> = runs.collect();
    runs.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let (value, reference) = runs[runs.len() / 2];
    Figure {
        name,
        value,
        unit: UNIT,
        reference: Reference { name: "plain append+fdatasync", value: reference },
        target: NO_TARGET,
    }
}
