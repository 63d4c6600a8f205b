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
    /// Run the server.
    Serve(serve::Arguments),
    /// Create, inspect, change and delete queues.
    Queue(queue::Arguments),
    /// Put items into a queue.
    Produce(produce::Arguments),
    /// Lease items from a queue.
    Lease(lease::Arguments),
    /// Mark leased items as completed.
    Complete(complete::Arguments),
    /// Requeue leased items, or move them to the dead queue.
    Retry(retry::Arguments),
    /// List, export, import and delete stored items.
    Items(items::Arguments),
    /// Inspect, retry, edit, archive and purge dead letters.
    #[command(visible_alias = "dlq")]
    Letters(letters::Arguments),
    /// Manage the OpenSearch index of letters, and restore letters from it.
    Search(search::Arguments),
    /// Print a configuration template, or check a configuration file.
    Config(config::Arguments),
    /// Classify errors, and name the rule that decided.
    Classify(classify::Arguments),
    Explain(explain::Arguments),
    /// List and show retry policies. Test one with: classify --policy FILE --explain.
    Policy(policy::Arguments),
    /// Check a store on disk, or salvage a damaged one.
    Doctor(doctor::Arguments),
    /// Print a shell completion script.
    Completions(completions::Arguments),
    /// Print a manual page.
    #[command(hide = true)]
    Man(man::Arguments),
}
