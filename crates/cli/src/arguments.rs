//! The command line.

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::{
    audit, binding, classify, complete, completions, config, consume, context, doctor, explain, items, key, lease,
    letters, man, namespace, policy, produce, queue, retry, role, route, search, serve, status, user, whoami,
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

impl Arguments {
    /// Reads the command line of the process.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let mut command = with_negative_numbers(Self::command());
        let mut matches = command.try_get_matches_from_mut(std::env::args_os())?;
        Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
    }
}

/// Passes negative numbers to the parsers of options, whose errors say what is allowed. Otherwise the argument parser takes
/// `-1` for an option that it does not know, and recommends `-- -1`.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|option| {
        let has_value = !option.is_positional() && option.get_action().takes_values();
        if has_value { option.allow_negative_numbers(true) } else { option }
    });
    command.mut_subcommands(with_negative_numbers)
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run the server.
    Serve(serve::Arguments),
    /// Show what needs attention, the queues, the destinations of retries, and the server.
    Status(status::Arguments),
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
    #[command(subcommand)]
    Items(items::Action),
    /// Inspect, retry, edit, archive and purge dead letters.
    #[command(visible_alias = "dlq")]
    Letters(letters::Arguments),
    /// Create, inspect, change, pause and delete routes: from a source to a target.
    Route(route::Arguments),
    /// Send the records of Kafka topics, or the items of a queue, to a target, until Ctrl-C.
    #[command(subcommand)]
    Consume(consume::Action),
    /// Manage the OpenSearch index of letters, and restore letters from it.
    Search(search::Arguments),
    /// Create, inspect, change and delete namespaces.
    Namespace(namespace::Arguments),
    /// Create, inspect and delete users.
    User(user::Arguments),
    /// Create, inspect and delete API keys.
    Key(key::Arguments),
    /// Create, inspect, change and delete roles: sets of permissions.
    Role(role::Arguments),
    /// Bind roles to users, and list and delete bindings.
    Binding(binding::Arguments),
    /// Show the user, the roles and the permissions of the API key.
    Whoami(whoami::Arguments),
    /// Manage contexts: servers with their key file and namespace.
    #[command(subcommand)]
    Context(context::Action),
    /// List, show, export and verify audit records.
    #[command(subcommand)]
    Audit(audit::Action),
    /// Print a configuration template, or check a configuration file.
    #[command(subcommand)]
    Config(config::Action),
    /// Classify errors, and name the rule that decided.
    Classify(classify::Arguments),
    Explain(explain::Arguments),
    /// List and show retry policies. Test one with: classify --policy FILE --explain.
    #[command(subcommand)]
    Policy(policy::Action),
    /// Check a store on disk, or salvage a damaged one.
    #[command(subcommand)]
    Doctor(doctor::Action),
    /// Print a shell completion script.
    Completions(completions::Arguments),
    /// Print a manual page.
    #[command(hide = true)]
    Man(man::Arguments),
}
