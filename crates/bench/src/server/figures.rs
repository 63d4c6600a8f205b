//! The figures of the server benchmark. All systems are measured in turns, many times.

use std::net::SocketAddr;

use anyhow::{Context, Result};
use tokio::runtime::Runtime;

use super::load::Load;
use super::peers::{rabbitmq, redis};
use super::redrive::{RawQueue, ServerProcess};
use super::{bulk, in_process, latency, status};
use crate::figure::{Figure, Target, progress};
use crate::measure::{median, median_of};
use crate::part::{Part, is_selected};

const UNIT: &str = "items/s of 1 KiB, durable";
/// Many short runs: the speed of the disk changes within seconds, and background work of the store affects some runs.
const RUNS: usize = 15;
/// More runs than against peers: both sides are Redrive, and their rates differ little.
const BACKLOG_RUNS: usize = 40;
/// Each latency measurement takes seconds.
const LATENCY_RUNS: usize = 5;
const BACKLOG: u32 = 1_000_000;
const EMPTY_QUEUE: &str = "bench";
const LONG_QUEUE: &str = "backlog";

const ONE: Load = Load { batch: 1, connections: 8, items: 6_400 };
const HUNDRED: Load = Load { batch: 100, connections: 1, items: 40_000 };
const THOUSAND: Load = Load { batch: 1000, connections: 1, items: 100_000 };

pub(crate) fn figures(part: Option<Part>) -> Result<Vec<Figure>> {
    if part == Some(Part::Status) {
        return Ok(vec![status::figure()?]);
    }
    if part == Some(Part::Bulk) {
        return Ok(vec![bulk::figure()?]);
    }
    let bench = ServerBench::new()?;
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
    if is_selected(part, Part::Single) {
        let rounds = bench.rounds(ONE)?;
        figures.push(compared_with("cycle/1 by 8", "redis streams", 1.0, &rounds, |round| round.redis));
        figures.push(compared_with("cycle/1 by 8", "rabbitmq", 1.5, &rounds, |round| round.rabbitmq));
        figures.push(bench.backlog("cycle/1 by 8, 1 M waiting", ONE)?);
    }
    if is_selected(part, Part::Batches) {
        let rounds = bench.rounds(HUNDRED)?;
        figures.push(compared_with("cycle/100", "redis streams", 0.5, &rounds, |round| round.redis));
        figures.push(compared_with("cycle/100", "rabbitmq", 1.5, &rounds, |round| round.rabbitmq));
        figures.push(compared_with("cycle/100", "store in process", 0.2, &rounds, |round| round.in_process));
        figures.push(bench.backlog("cycle/100, 1 M waiting", HUNDRED)?);

        let rounds = bench.rounds(THOUSAND)?;
        figures.push(compared_with("cycle/1000", "rabbitmq", 1.5, &rounds, |round| round.rabbitmq));
        figures.push(bench.backlog("cycle/1000, 1 M waiting", THOUSAND)?);
    }
    if is_selected(part, Part::Latency) {
        figures.push(bench.latency()?);
    }
    if part.is_none() {
        drop(bench);
        figures.push(status::figure()?);
        figures.push(bulk::figure()?);
    }
    Ok(figures)
}

/// The running server, and the queue for latencies.
struct ServerBench {
    runtime: Runtime,
    server: ServerProcess,
    queue: RawQueue,
}

/// The items per second of all systems, measured within a few seconds.
struct Round {
    own: f64,
    in_process: f64,
    rabbitmq: f64,
    redis: f64,
}

impl ServerBench {
    fn new() -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let server = ServerProcess::start()?;
        let queue = runtime.block_on(server.queue(EMPTY_QUEUE))?;
        progress(&format!("a backlog of {BACKLOG}"));
        let long = runtime.block_on(server.queue(LONG_QUEUE))?;
        runtime.block_on(long.fill(BACKLOG))?;
        Ok(Self { runtime, server, queue })
    }

    fn rounds(&self, load: Load) -> Result<Vec<Round>> {
        let (rabbitmq, redis) = (address("REDRIVE_TEST_RABBITMQ")?, address("REDRIVE_TEST_REDIS_DURABLE")?);
        progress(&format!("batches of {} over {} connections", load.batch, load.connections));
        // Peers are slower, so they are measured over fewer items.
        let short = Load { items: load.items / 2, ..load };
        let round = |_| {
            // Redrive is measured before and after the peers, so that a machine that slows down affects all alike.
            let first = self.rate(EMPTY_QUEUE, load)?;
            let redis = self.runtime.block_on(redis::rate(redis, short))?;
            let in_process = self.runtime.block_on(in_process::rate(load))?;
            let rabbitmq = self.runtime.block_on(rabbitmq::rate(rabbitmq, short))?;
            let own = combined_rate((first, self.rate(EMPTY_QUEUE, load)?));
            Ok(Round { own, in_process, rabbitmq, redis })
        };
        (0..RUNS).map(round).collect()
    }

    /// The rate with a long queue, compared with an empty one.
    fn backlog(&self, name: &'static str, load: Load) -> Result<Figure> {
        progress(&format!("the same with {BACKLOG} waiting"));
        let rates = median_of(BACKLOG_RUNS, || {
            // The speed of the disk changes within seconds; this order spreads that evenly over both queues.
            let first = self.rate(EMPTY_QUEUE, load)?;
            let long = (self.rate(LONG_QUEUE, load)?, self.rate(LONG_QUEUE, load)?);
            let empty = (first, self.rate(EMPTY_QUEUE, load)?);
            Ok((combined_rate(long), combined_rate(empty)))
        })?;
        Ok(Figure::of(name, UNIT, rates).beside("an empty queue", Target::RatioAtLeast(0.9)))
    }

    fn rate(&self, queue: &str, load: Load) -> Result<f64> {
        self.runtime.block_on(self.server.rate(queue, load))
    }

    fn latency(&self) -> Result<Figure> {
        progress("single items at a steady rate");
        let run = || Ok((latency::of_server(&self.runtime, &self.queue)?, latency::of_plain_file()?));
        Ok(Figure::of("produce/1 at 1000/s, p99", "ms, durable", median_of(LATENCY_RUNS, run)?)
            .beside("plain append+fdatasync at that rate, p99", Target::RatioAtMost(3.0)))
    }
}

fn address(variable: &str) -> Result<SocketAddr> {
    let text = std::env::var(variable)
        .with_context(|| format!("{variable} is not set; run cargo xtask bench server, which starts the peers"))?;
    text.parse().with_context(|| format!("{variable} is not an address"))
}

fn compared_with(
    name: &'static str,
    peer: &'static str,
    least: f64,
    rounds: &[Round],
    of: fn(&Round) -> f64,
) -> Figure {
    let rates = median(rounds.iter().map(|round| (round.own, of(round))).collect());
    Figure::of(name, UNIT, rates).beside(peer, Target::RatioAtLeast(least))
}

/// The rate over two measurements of the same number of items.
fn combined_rate((one, other): (f64, f64)) -> f64 {
    2.0 / (1.0 / one + 1.0 / other)
}
