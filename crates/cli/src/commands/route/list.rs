//! `redrive route list`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::{RouteInfo, RoutesListRequest};

use super::route_line::{HEADER, row};
use crate::commands::identity::{NamespaceOption, PAGE, PivotPages};
use crate::console::Lines;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive route list --namespace shop")]
pub(crate) struct Arguments {
    #[command(flatten)]
    namespace: NamespaceOption,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let namespace = arguments.namespace.name(session);
    let mut pages = PivotPages::new(
        |route: &RouteInfo| &route.name,
        async |pivot| {
            let request = RoutesListRequest { namespace: namespace.clone(), pivot, limit: PAGE };
            Ok(session.call(session.client.list_routes(&request)).await?.routes)
        },
    );
    let mut lines = Lines::new(session.format, HEADER);
    while let Some(page) = pages.next().await? {
        page.iter().try_for_each(|route| lines.push(|| row(route), route))?;
    }
    lines.finish()
}
