//! Targets: where work is sent, described in a configuration file.
//!
//! A [`TargetSettings`] is one `[targets.NAME]` section. Its [`check`](TargetSettings::check) reads the files that it
//! names and reports the first wrong setting without calling anything. The [`CheckedTarget`] is started, and the
//! [`StartedTarget`] then gives handlers to all users of that name, which share its connections, its workers and its
//! limits.
//!
//! The crate knows the kinds of targets, not their protocols: these are the handlers of [`redrive_run`]. It does not
//! read configuration files either, only the files that a target names.
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

mod cluster;
mod redis_server;
mod route;
mod target;

pub use cluster::ClusterSettings;
pub use redis_server::RedisServerSettings;
pub use route::{
    Connections, DefinitionError, DesiredRoute, IngestRouteSource, KafkaRouteSource, MailboxRouteSource,
    QueueRouteSource, RouteDefinition, RouteEnvironment, RouteId, RouteIntent, RouteOrigin, RouteRates, RouteSettings,
    RouteSettingsError, RouteStartError, RouteState, RouteStatus, RouteTotals, RunningRoutes, ServerSettings,
    StartedTargets, without_value,
};
pub use target::{
    CheckedTarget, KafkaOriginSettings, MailboxOriginSettings, OriginConnections, SecretSource, StartedTarget,
    TargetError, TargetKind, TargetSettings,
};
