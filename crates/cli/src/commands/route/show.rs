//! `redrive route show`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::RoutesGetRequest;

use super::route_line::fields;
use crate::commands::identity::NamespaceOption;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive route show orders")]
pub(crate) struct Arguments {
    /// Route name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let request = RoutesGetRequest { namespace: arguments.namespace.name(session), name: arguments.name.clone() };
    let route = session.call(session.client.route(&request)).await?;
    session.show(fields(&route), &route)
}
