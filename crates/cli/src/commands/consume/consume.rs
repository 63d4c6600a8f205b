//! The subcommands of `redrive consume`.

use anyhow::Result;

use super::{kafka, mailbox, queue};
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    source: Source,
}

#[derive(clap::Subcommand)]
enum Source {
    /// Send the records of Kafka topics to a target.
    Kafka(kafka::Arguments),
    /// Send the messages of a mailbox on Redis to a target.
    Mailbox(mailbox::Arguments),
    /// Send the items of a queue to a target.
    Queue(queue::Arguments),
}

pub(crate) async fn run(arguments: &Arguments, session: Session) -> Result<()> {
    match &arguments.source {
        Source::Kafka(arguments) => kafka::run(arguments, &session).await,
        Source::Mailbox(arguments) => mailbox::run(arguments, &session).await,
        Source::Queue(arguments) => queue::run(arguments, &session).await,
    }
}
