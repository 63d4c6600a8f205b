//! The command line.

use clap::{Parser, Subcommand};

use crate::commands::{
    classify, complete, completions, config, doctor, explain, items, lease, letters, man, policy, produce, queue,
    retry, search, serve,
};
use crate::exit;
use crate::session::ServerOptions;

#[derive(Parser)]
#[command(
    name = "redrive",
    version,
    about = "A dead letter queue platform",
    propagate_version = true,
    after_help = exit::HELP
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) server: ServerOptions,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve queues over HTTP.
    Serve(serve::Arguments),
    /// Make, look at, change and remove queues.
    Queue(queue::Arguments),
    /// Put items into a queue.
    Produce(produce::Arguments),
    /// Take items to work on.
    Lease(lease::Arguments),
    /// Say that leased items are done.
    Complete(complete::Arguments),
    /// Give leased items back, or send them to the dead queue.
    Retry(retry::Arguments),
    /// Look at items as they are stored, and move them between servers.
    Items(items::Arguments),
    /// Look at work that failed, and decide what becomes of it.
    #[command(visible_alias = "dlq")]
    Letters(letters::Arguments),
    /// Look after the index of letters, and bring letters back from it.
    Search(search::Arguments),
    /// Look at what can be set.
    Config(config::Arguments),
    /// Say what kind of fault an error is, and which rule says so.
    Classify(classify::Arguments),
    Explain(explain::Arguments),
    /// Look at retry policies; `classify --policy FILE --explain` tries one out.
    Policy(policy::Arguments),
    /// Check a journal on disk, or save what is readable of a damaged one.
    Doctor(doctor::Arguments),
    /// Print what a shell needs to complete this command line.
    Completions(completions::Arguments),
    /// Print a page of the manual.
    #[command(hide = true)]
    Man(man::Arguments),
}
