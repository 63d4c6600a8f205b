//! Redrive's benchmarks, run by `cargo xtask bench NAME`.
//!
//! Machines are shared and noisy, so every figure is measured together with a reference in the same run. The median of
//! several runs counts, and most targets are ratios to the reference.
#![expect(clippy::disallowed_methods, reason = "a benchmark is about real time")]

mod allocations;
mod core;
mod figure;
mod folder;
mod journal;
mod kafka;
mod letters;
mod mailbox;
mod measure;
mod part;
mod plain;
mod process;
mod routes;
mod run;
mod server;
mod store;

use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use figure::Figure;
use part::Part;

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

#[derive(Parser)]
struct Arguments {
    /// The benchmark to run.
    name: Benchmark,
    /// Run only this part of the benchmark.
    #[arg(long)]
    part: Option<Part>,
    /// Exit with code 1 if a target is missed.
    #[arg(long)]
    check: bool,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Benchmark {
    /// Classification and policy decisions.
    Core,
    /// The journal of the embedded store, on this disk.
    Journal,
    /// The embedded store, on this disk. Takes some minutes and 15 GB.
    Store,
    /// The runner, over a store in memory.
    Run,
    /// Letters in the embedded store, on this disk. Takes some minutes and 10 GB.
    Letters,
    /// Full cycles over loopback, compared with RabbitMQ and Redis, which `cargo xtask bench` starts.
    Server,
    /// The parallel Kafka consumer, on a broker that `cargo xtask bench` starts. Takes some minutes and 2 GB.
    Kafka,
    /// Routes from Kafka, on a broker that `cargo xtask bench` starts. Takes some minutes and 2 GB.
    Routes,
    /// Mailboxes in memory and on Redis, which `cargo xtask bench` starts.
    Mailbox,
}

fn main() -> anyhow::Result<ExitCode> {
    if std::env::var_os(run::worker::WORKER_VARIABLE).is_some() {
        return run::worker::work().map(|()| ExitCode::SUCCESS);
    }
    if let Some(topic) = kafka::memory::child_topic() {
        return kafka::memory::measure(&topic).map(|()| ExitCode::SUCCESS);
    }
    let arguments = Arguments::parse();
    let figures: Vec<Figure> = match arguments.name {
        Benchmark::Core => core::figures()?,
        Benchmark::Journal => journal::figures()?,
        Benchmark::Store => part::figures_of(store::PARTS, arguments.part)?,
        Benchmark::Run => run::figures()?,
        Benchmark::Letters => part::figures_of(letters::PARTS, arguments.part)?,
        Benchmark::Server => server::figures(arguments.part)?,
        Benchmark::Kafka => kafka::figures(arguments.part)?,
        Benchmark::Routes => routes::figures(arguments.part)?,
        Benchmark::Mailbox => mailbox::figures(arguments.part)?,
    };
    for figure in &figures {
        if arguments.json {
            println!("{}", serde_json::to_string(&figure.record())?);
        } else {
            println!("{figure}");
        }
    }
    let is_missed = figures.iter().any(Figure::fails_a_check);
    Ok(ExitCode::from(u8::from(arguments.check && is_missed)))
}
