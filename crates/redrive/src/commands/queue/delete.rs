//! `redrive queue delete`.

use anyhow::Result;
use redrive_client::proto::querator::QueuesDeleteRequest;

use crate::console::say;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    name: String,
    /// Also if it is the dead queue of others.
    #[arg(long)]
    force: bool,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let name = &arguments.name;
    session.confirm(format!("remove the queue '{name}' with all that is in it"), arguments.yes).await?;
    let request = QueuesDeleteRequest { queue_name: name.clone(), force: arguments.force };
    session.ask(session.client.delete_queue(&request)).await?;
    say(format_args!("removed queue '{name}'"));
    Ok(())
}
