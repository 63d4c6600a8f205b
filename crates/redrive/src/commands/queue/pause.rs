//! `redrive queue pause` and `resume`.

use anyhow::Result;

use crate::console::say;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    name: String,
}

pub(super) async fn pause(arguments: &Arguments, session: &Session) -> Result<()> {
    session.ask(session.client.queue(&arguments.name).pause()).await?;
    say(format_args!("queue '{0}' gives no more leases; go on with: redrive queue resume {0}", arguments.name));
    Ok(())
}

pub(super) async fn resume(arguments: &Arguments, session: &Session) -> Result<()> {
    session.ask(session.client.queue(&arguments.name).resume()).await?;
    say(format_args!("queue '{}' gives leases", arguments.name));
    Ok(())
}
