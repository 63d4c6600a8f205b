//! `redrive role delete`.

use anyhow::Result;
use redrive_client::proto::querator::RolesDeleteRequest;

use crate::commands::identity::NamespaceOption;
use crate::console::say;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive role delete operator --namespace shop --yes")]
pub(crate) struct Arguments {
    /// Role name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
    /// Do not prompt for confirmation.
    #[arg(long)]
    yes: bool,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let (name, namespace) = (&arguments.name, arguments.namespace.name(session));
    session.confirm(format!("delete the role '{name}' of the namespace '{namespace}'"), arguments.yes).await?;
    let request = RolesDeleteRequest { namespace: namespace.clone(), name: name.clone() };
    session.call(session.client.delete_role(&request)).await?;
    say(format_args!("deleted role '{name}' of the namespace '{namespace}'"));
    Ok(())
}
