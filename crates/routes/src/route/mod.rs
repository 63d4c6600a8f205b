//! Routes: from a source to a target, without a program of the user in between.

mod call_limits;
mod connections;
mod definition;
mod environment;
mod error;
mod id;
mod mailbox_source;
mod named_errors;
mod observed;
mod running_routes;
mod settings;
mod started_route;
mod started_targets;
mod status;
mod supervisor;

pub use connections::{Connections, DefinitionError, ServerSettings};
pub use definition::RouteDefinition;
pub use environment::RouteEnvironment;
pub use error::{RouteSettingsError, RouteStartError};
pub use id::RouteId;
pub use mailbox_source::MailboxRouteSource;
pub use named_errors::without_value;
pub use running_routes::{DesiredRoute, RunningRoutes};
pub use settings::{IngestRouteSource, KafkaRouteSource, QueueRouteSource, RouteSettings};
pub use started_targets::StartedTargets;
pub use status::{RouteIntent, RouteOrigin, RouteRates, RouteState, RouteStatus, RouteTotals};
