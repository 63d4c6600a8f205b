//! `redrive queue clear`.

use anyhow::Result;
use redrive_client::proto::querator::QueueClearRequest;

use crate::console::say;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Queue name.
    name: String,
    /// Delete scheduled items, too.
    #[arg(long)]
    scheduled: bool,
    /// Delete leased items, too.
    #[arg(long)]
    destructive: bool,
    /// Do not prompt for confirmation of --destructive.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Arguments { name, scheduled, destructive, yes } = arguments;
    if *destructive {
        session.confirm(format!("delete all items of '{name}', including leased ones"), *yes).await?;
    }
    let request =
        QueueClearRequest { queue_name: name.clone(), queue: true, scheduled: *scheduled, destructive: *destructive };
    session.call(session.client.clear(&request)).await?;
    say(format_args!("cleared queue '{name}'"));
    Ok(())
}
