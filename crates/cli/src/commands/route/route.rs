//! The subcommands of `redrive route`.

use anyhow::Result;
use futures_util::FutureExt;
use redrive_client::proto::redrive::v1::{
    RouteInfo, RoutesControlRequest, RoutesDeleteRequest, RoutesGetRequest, RoutesListRequest,
};
use serde_json::json;

use super::define;
use super::route_line::{HEADER, fields, row};
use crate::commands::identity::{Audited, NamespaceOption, NamespacesOption, PAGE, PivotPages};
use crate::console::Lines;
use crate::session::Session;

pub(crate) type Arguments = Audited<Action>;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Create a route from a file, and start it.
    Create(define::DefinedRoute),
    /// Replace the definition of a route. It drains and starts again.
    Update(define::DefinedRoute),
    /// List the routes of a namespace with their state.
    #[command(after_help = "Examples:
  redrive route list --namespace shop
  redrive route list --all-namespaces")]
    List(NamespacesOption),
    /// Show a route: its state, what is wrong, and its definition.
    #[command(visible_alias = "get")]
    #[command(after_help = "Example:
  redrive route show orders")]
    Show(RouteName),
    /// Start a route that is paused or stopped.
    #[command(after_help = CONTROL_HELP)]
    Start(RouteName),
    /// Pause a route: it takes no new work, and stays in its consumer group.
    #[command(after_help = CONTROL_HELP)]
    Pause(RouteName),
    /// Stop a route. Running calls finish first.
    #[command(after_help = CONTROL_HELP)]
    Stop(RouteName),
    /// Drain and delete a route.
    #[command(after_help = "Example:
  redrive route delete orders --yes")]
    Delete {
        #[command(flatten)]
        route: RouteName,
        /// Do not prompt for confirmation.
        #[arg(long)]
        yes: bool,
    },
}

const CONTROL_HELP: &str = "Examples:
  redrive route start orders
  redrive route pause orders --reason 'maintenance of the shop'
  redrive route stop orders --namespace shop";

#[derive(clap::Args)]
pub(crate) struct RouteName {
    /// Route name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
}

pub(crate) async fn run(action: &Action, session: &Session) -> Result<()> {
    match action {
        Action::Create(arguments) => define::create(arguments, session).await,
        Action::Update(arguments) => define::update(arguments, session).await,
        Action::List(namespaces) => list(namespaces, session).await,
        Action::Show(route) => show(route, session).await,
        Action::Start(route) => control(route, "start", "started", session).await,
        Action::Pause(route) => control(route, "pause", "paused", session).await,
        Action::Stop(route) => control(route, "stop", "stopping", session).await,
        Action::Delete { route, yes } => delete(route, *yes, session).await,
    }
}

async fn list(namespaces: &NamespacesOption, session: &Session) -> Result<()> {
    let listed = namespaces.select(session, "routes.read").await?;
    let mut lines = Lines::new(session.format, listed.header(HEADER));
    for namespace in &listed.names {
        let fetch = move |pivot| {
            let request = RoutesListRequest { namespace: namespace.clone(), pivot, limit: PAGE };
            async move { Ok(session.client.list_routes(&request).await?.routes) }.boxed_local()
        };
        let pages = PivotPages::new(session, |route: &RouteInfo| &route.name, fetch);
        let push = |lines: &mut Lines, route: &RouteInfo| {
            // The server leaves it empty for `_system`.
            let route = RouteInfo { namespace: namespace.clone(), ..route.clone() };
            lines.push(|| listed.cells(row(&route)), &route)
        };
        pages.push_to(&mut lines, push).await?;
    }
    lines.finish()?;
    listed.note(session).await
}

async fn show(RouteName { name, namespace }: &RouteName, session: &Session) -> Result<()> {
    let request = RoutesGetRequest { namespace: namespace.name(session), name: name.clone() };
    let route = session.call(session.client.route(&request)).await?;
    session.show(fields(&route), &route)
}

async fn control(route: &RouteName, action: &str, done: &str, session: &Session) -> Result<()> {
    let (name, namespace) = (&route.name, route.namespace.name(session));
    let request = RoutesControlRequest { namespace: namespace.clone(), name: name.clone(), action: action.to_owned() };
    session.call(session.client.control_route(&request)).await?;
    session.report(&format!("{done} route '{name}'"), &json!({ "namespace": namespace, "name": name, "outcome": done }))
}

async fn delete(route: &RouteName, is_confirmed: bool, session: &Session) -> Result<()> {
    let (name, namespace) = (&route.name, route.namespace.name(session));
    if !session.is_confirmed(format!("delete the route '{name}'"), is_confirmed).await? {
        return Ok(());
    }
    let request = RoutesDeleteRequest { namespace: namespace.clone(), name: name.clone() };
    session.call(session.client.delete_route(&request)).await?;
    session.report(
        &format!("deleted route '{name}'"),
        &json!({ "namespace": namespace, "name": name, "outcome": "deleted" }),
    )
}
