//! Routes: from a source to a target, without a program of the user in between.

mod call_limits;
mod connections;
mod definition;
mod environment;
mod error;
mod id;
#[cfg(feature = "kafka")]
mod kafka_source;
#[cfg(feature = "redis")]
mod mailbox_source;
mod named_errors;
mod observed;
mod running_routes;
mod settings;
mod source_status;
mod started_route;
mod started_targets;
mod status;
mod supervisor;

pub use connections::{Connections, DefinitionError, ServerSettings};
pub use definition::RouteDefinition;
pub use environment::RouteEnvironment;
pub use error::{RouteSettingsError, RouteStartError};
pub use id::RouteId;
#[cfg(feature = "kafka")]
pub use kafka_source::{IngestRouteSource, KafkaRouteSource};
#[cfg(feature = "redis")]
pub use mailbox_source::MailboxRouteSource;
pub use named_errors::without_value;
pub use running_routes::{DesiredRoute, RunningRoutes};
pub use settings::{QueueRouteSource, RouteSettings};
pub use source_status::{BlockingWork, SourceStatus, SourceTrouble};
pub use started_targets::StartedTargets;
pub use status::{RouteIntent, RouteOrigin, RouteRates, RouteState, RouteStatus, RouteTotals};

#[cfg(not(feature = "redis"))]
pub use crate::left_out::MailboxRouteSource;
#[cfg(not(feature = "kafka"))]
pub use crate::left_out::{IngestRouteSource, KafkaRouteSource};
