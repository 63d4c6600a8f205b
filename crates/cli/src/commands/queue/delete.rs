//! `redrive queue delete`.

use anyhow::Result;
use redrive_client::proto::querator::QueuesDeleteRequest;

use crate::console::say;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
    /// Delete the queue even if it is the dead queue of another queue.
    #[arg(long)]
    force: bool,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let name = &arguments.name;
    session.confirm(format!("delete the queue '{name}' with all of its items and letters"), arguments.yes).await?;
    let request = QueuesDeleteRequest { queue_name: name.clone(), force: arguments.force };
    session.call(session.client.delete_queue(&request)).await?;
    say(format_args!("deleted queue '{name}'"));
    Ok(())
}
