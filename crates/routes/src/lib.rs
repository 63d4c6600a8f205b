//! Routes from sources to targets: where work comes from and where it is sent, as a configuration file or a caller of
//! the API describes it.
//!
//! A route ([`RouteSettings`]) is a source, a target and a policy: it processes a queue, a Kafka topic or a mailbox
//! without a program of the user. [`RunningRoutes`] starts, pauses and drains them.
//!
//! A target ([`TargetSettings`]) is one `[targets.NAME]` section. Its [`check`](TargetSettings::check) reads the files
//! that it names and reports the first wrong setting without calling anything. The [`CheckedTarget`] is started, and
//! the [`StartedTarget`] then gives handlers to all users of that name, which share its connections, its workers and
//! its limits.
//!
//! The crate knows the kinds of sources and targets, not their protocols: the sources are those of `redrive-run`,
//! `redrive-kafka` and `redrive-mailbox`, the targets are handlers of [`redrive_run`]. It does not read configuration
//! files either, only the files that a target names.
//!
//! ```
//! use redrive_routes::{Connections, TargetSettings};
//!
//! let settings: TargetSettings = toml::from_str(
//!     r#"
//!     http = "https://orders.internal/place"
//!     method = "PUT"
//!     headers = { authorization = "Bearer 5ecret" }
//!     concurrency = 4
//!     "#,
//! )
//! .unwrap();
//! assert!(!format!("{settings:?}").contains("5ecret"));
//! let connections = Connections::default();
//! assert!(settings.check(connections.origins()).is_ok());
//!
//! let settings = TargetSettings { http: Some("orders".to_owned()), ..TargetSettings::default() };
//! assert_eq!(
//!     settings.check(connections.origins()).unwrap_err().to_string(),
//!     "http is invalid: 'orders'; allowed: an http or https url with a host, as in https://host:8443/path",
//! );
//! ```
//!
//! # Modules
//!
//! | module | content | start reading at |
//! |---|---|---|
//! | `route/settings`, `mailbox_source`, `connections`, `definition` | the settings of a route, their check, and the named clusters, Redis servers, servers and targets that it may use | [`RouteSettings`], `Connections::check` |
//! | `route/running_routes`, `supervisor`, `started_route` | a task for each route, which starts, pauses, drains and restarts it as desired | `Supervisor::run` |
//! | `route/started_targets` | targets that routes and `dlq.targets` share | [`StartedTargets`] |
//! | `cluster`, `redis_server` | a Kafka cluster and a Redis server by name, for routes and for targets that hand letters back | `ClusterSettings` |
//! | `target` | the settings of a target, their check, and the handlers of a started target; limits that all its users share | [`TargetSettings::check`], [`StartedTarget`] |
//!
//! The features `kafka`, `redis` and `grpc` select the adapters.
//!
//! # Invariants
//!
//! - A change of a route waits until its running calls have ended; only the end of the process shortens that. Changes
//!   of the server's routes, in memory and in the key space, happen under one lock, which no drain holds.
//! - Only the configuration file names targets, clusters, Redis servers and servers. A worker is a program and a secret
//!   is a file, so no caller of the API may name one.

mod cluster;
mod left_out;
#[cfg(not(all(feature = "grpc", feature = "kafka", feature = "redis")))]
mod missing_feature;
#[cfg(feature = "redis")]
mod redis_connection;
mod redis_server;
mod route;
mod target;

pub use cluster::ClusterSettings;
pub use redis_server::RedisServerSettings;
pub use route::{
    BlockingWork, Connections, DefinitionError, DesiredRoute, IngestRouteSource, KafkaRouteSource, MailboxRouteSource,
    QueueRouteSource, RouteDefinition, RouteEnvironment, RouteId, RouteIntent, RouteOrigin, RouteRates, RouteSettings,
    RouteSettingsError, RouteStartError, RouteState, RouteStatus, RouteTotals, RunningRoutes, ServerSettings,
    SourceStatus, SourceTrouble, StartedTargets, without_value,
};
pub use target::{
    CheckedTarget, KafkaOriginSettings, MailboxOriginSettings, OriginConnections, SecretSource, StartedTarget,
    TargetError, TargetKind, TargetSettings,
};
