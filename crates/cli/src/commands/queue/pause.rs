//! `redrive queue pause` and `resume`.

use anyhow::Result;

use crate::console::say;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
}

pub(super) async fn pause(arguments: &Arguments, session: &Session) -> Result<()> {
    session.call(session.client.queue(&arguments.name).pause()).await?;
    say(format_args!("paused queue '{0}'; resume it with: redrive queue resume {0}", arguments.name));
    Ok(())
}

pub(super) async fn resume(arguments: &Arguments, session: &Session) -> Result<()> {
    session.call(session.client.queue(&arguments.name).resume()).await?;
    say(format_args!("resumed queue '{}'", arguments.name));
    Ok(())
}
