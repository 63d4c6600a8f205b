//! `redrive queue clear`.

use anyhow::Result;
use redrive_client::proto::querator::QueueClearRequest;

use crate::console::say;
use crate::session::Session;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    name: String,
    /// Scheduled items, too.
    #[arg(long)]
    scheduled: bool,
    /// Also items that somebody works on.
    #[arg(long)]
    destructive: bool,
    /// Do not ask before --destructive.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let Arguments { name, scheduled, destructive, yes } = arguments;
    if *destructive {
        session.confirm(format!("remove all items of '{name}', also those that somebody works on"), *yes).await?;
    }
    let request =
        QueueClearRequest { queue_name: name.clone(), queue: true, scheduled: *scheduled, destructive: *destructive };
    session.ask(session.client.clear(&request)).await?;
    say(format_args!("cleared queue '{name}'"));
    Ok(())
}
