//! `redrive route start`, `pause` and `stop`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::RoutesControlRequest;
use serde_json::json;

use crate::commands::identity::NamespaceOption;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive route start orders
  redrive route pause orders --reason 'maintenance of the shop'
  redrive route stop orders --namespace shop")]
pub(crate) struct RouteName {
    /// Route name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
}

pub(super) async fn run(route: &RouteName, action: &str, session: &Session) -> Result<()> {
    let (name, namespace) = (&route.name, route.namespace.name(session));
    let request = RoutesControlRequest { namespace: namespace.clone(), name: name.clone(), action: action.to_owned() };
    session.call(session.client.control_route(&request)).await?;
    let done = match action {
        "start" => "started",
        "pause" => "paused",
        _ => "stopping",
    };
    session.report(&format!("{done} route '{name}'"), &json!({ "namespace": namespace, "name": name, "outcome": done }))
}
