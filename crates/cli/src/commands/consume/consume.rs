//! The subcommands of `redrive consume`.

use anyhow::Result;

use super::{kafka, mailbox, queue};
use crate::session::Session;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Send the records of Kafka topics to a target.
    Kafka(kafka::Arguments),
    /// Send the messages of a mailbox on Redis to a target.
    Mailbox(mailbox::Arguments),
    /// Send the items of a queue to a target.
    Queue(queue::Arguments),
}

pub(crate) async fn run(action: &Action, session: Session) -> Result<()> {
    match action {
        Action::Kafka(arguments) => kafka::run(arguments, &session).await,
        Action::Mailbox(arguments) => mailbox::run(arguments, &session).await,
        Action::Queue(arguments) => queue::run(arguments, &session).await,
    }
}
