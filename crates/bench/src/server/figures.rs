//! The list of figures, and how they are measured: everybody in turn, many times over.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use redrive_client::Queue;
use tokio::runtime::Runtime;

use super::load::Load;
use super::peers::{rabbitmq, redis};
use super::redrive::{Served, fill};
use super::{in_process, latency};
use crate::figure::{Figure, Reference, Target};
use crate::part::{Part, is_wanted};

const UNIT: &str = "items/s of 1 KiB, durable";
/// Short and many: the disk becomes faster and slower over seconds, and what the store does by itself comes to some.
const RUNS: usize = 15;
/// Both are ours, and near each other.
const BACKLOG_RUNS: usize = 40;
/// Of a measurement that takes seconds for itself.
const LATENCIES: usize = 5;
const BACKLOG: u32 = 1_000_000;
const EMPTY: &str = "bench";
const LONG: &str = "backlog";

const ONE: Load = Load { batch: 1, connections: 8, items: 6_400 };
const HUNDRED: Load = Load { batch: 100, connections: 1, items: 40_000 };
const THOUSAND: Load = Load { batch: 1000, connections: 1, items: 100_000 };

pub(crate) fn figures(part: Option<Part>) -> Result<Vec<Figure>> {
    let bench = Bench::new()?;
    let mut figures = Vec::new();
    if part == Some(Part::Backlog) {
        for (name, load) in [
            ("cycle/1 by 8, 1 M waiting", ONE),
            ("cycle/100, 1 M waiting", HUNDRED),
            ("cycle/1000, 1 M waiting", THOUSAND),
        ] {
            figures.push(bench.backlog(name, load)?);
        }
        return Ok(figures);
    }
    if is_wanted(part, Part::Single) {
        let rounds = bench.rounds(ONE)?;
        figures.push(beside("cycle/1 by 8", "redis streams", 1.0, &rounds, |round| round.redis));
        figures.push(beside("cycle/1 by 8", "rabbitmq", 1.5, &rounds, |round| round.rabbitmq));
        figures.push(bench.backlog("cycle/1 by 8, 1 M waiting", ONE)?);
    }
    if is_wanted(part, Part::Batches) {
        let rounds = bench.rounds(HUNDRED)?;
        figures.push(beside("cycle/100", "redis streams", 0.5, &rounds, |round| round.redis));
        figures.push(beside("cycle/100", "rabbitmq", 1.5, &rounds, |round| round.rabbitmq));
        figures.push(beside("cycle/100", "store in process", 0.2, &rounds, |round| round.in_process));
        figures.push(bench.backlog("cycle/100, 1 M waiting", HUNDRED)?);

        let rounds = bench.rounds(THOUSAND)?;
        figures.push(beside("cycle/1000", "rabbitmq", 1.5, &rounds, |round| round.rabbitmq));
        figures.push(bench.backlog("cycle/1000, 1 M waiting", THOUSAND)?);
    }
    if is_wanted(part, Part::Latency) {
        figures.push(bench.latency()?);
    }
    Ok(figures)
}

/// Everybody who is measured.
struct Bench {
    runtime: Runtime,
    served: Served,
    queue: Queue,
}

/// Items a second of everybody, measured within a few seconds.
struct Round {
    own: f64,
    in_process: f64,
    rabbitmq: f64,
    redis: f64,
}

impl Bench {
    fn new() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let served = Served::start()?;
        let queue = runtime.block_on(served.queue(EMPTY))?;
        eprintln!("… a backlog of {BACKLOG}");
        let long = runtime.block_on(served.queue(LONG))?;
        runtime.block_on(fill(&long, BACKLOG))?;
        Ok(Self { runtime, served, queue })
    }

    fn rounds(&self, load: Load) -> Result<Vec<Round>> {
        let (rabbitmq, redis) = (address("REDRIVE_TEST_RABBITMQ")?, address("REDRIVE_TEST_REDIS_DURABLE")?);
        progress(load);
        // Peers are measured over fewer items: they take longer.
        let short = Load { items: load.items / 2, ..load };
        let round = |_| {
            // Before and after the peers, who are in the middle: what becomes slower meanwhile is so for all of them.
            let first = self.rate(EMPTY, load)?;
            let redis = self.runtime.block_on(redis::rate(redis, short))?;
            let in_process = self.runtime.block_on(in_process::rate(load))?;
            let rabbitmq = self.runtime.block_on(rabbitmq::rate(rabbitmq, short))?;
            let own = together((first, self.rate(EMPTY, load)?));
            Ok(Round { own, in_process, rabbitmq, redis })
        };
        (0..RUNS).map(round).collect()
    }

    /// With a long queue, beside an empty one.
    fn backlog(&self, name: &'static str, load: Load) -> Result<Figure> {
        eprintln!("… the same with {BACKLOG} waiting");
        let mut runs = Vec::new();
        for _ in 0..BACKLOG_RUNS {
            // The disk becomes faster and slower over seconds: in this order, both have as much of either.
            let first = self.rate(EMPTY, load)?;
            let long = (self.rate(LONG, load)?, self.rate(LONG, load)?);
            let empty = (first, self.rate(EMPTY, load)?);
            runs.push((together(long), together(empty)));
        }
        let (value, reference) = median(runs);
        Ok(figure(name, value, "an empty queue", reference, 0.9))
    }

    fn rate(&self, queue: &str, load: Load) -> Result<f64> {
        self.runtime.block_on(self.served.rate(queue, load))
    }

    fn latency(&self) -> Result<Figure> {
        eprintln!("… single items at a steady rate");
        let mut runs = Vec::new();
        for _ in 0..LATENCIES {
            runs.push((latency::served(&self.runtime, &self.queue)?, latency::plain()?));
        }
        let (value, reference) = median(runs);
        Ok(Figure {
            name: "produce/1 at 1000/s, p99",
            value,
            unit: "ms, durable",
            reference: Reference { name: "plain append+fdatasync at that rate, p99", value: reference },
            target: Target::RatioAtMost(3.0),
        })
    }
}

fn progress(load: Load) {
    eprintln!("… batches of {} over {} connections", load.batch, load.connections);
}

fn address(variable: &str) -> Result<SocketAddr> {
    let text = std::env::var(variable)
        .with_context(|| format!("{variable} is not set; run cargo xtask bench server, which starts what is needed"))?;
    text.parse().with_context(|| format!("{variable} is not an address"))
}

fn beside(name: &'static str, peer: &'static str, least: f64, rounds: &[Round], of: fn(&Round) -> f64) -> Figure {
    let (value, reference) = median(rounds.iter().map(|round| (round.own, of(round))).collect());
    figure(name, value, peer, reference, least)
}

/// The rate of two measurements of as many items each.
fn together((one, other): (f64, f64)) -> f64 {
    2.0 / (1.0 / one + 1.0 / other)
}

fn figure(name: &'static str, value: f64, beside: &'static str, reference: f64, least: f64) -> Figure {
    let reference = Reference { name: beside, value: reference };
    Figure { name, value, unit: UNIT, reference, target: Target::RatioAtLeast(least) }
}

/// The run in the middle, by its ratio to the reference of the same round.
fn median(mut runs: Vec<(f64, f64)>) -> (f64, f64) {
    runs.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    runs[runs.len() / 2]
}
