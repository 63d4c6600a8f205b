//! What a build without an adapter has in place of its settings: types without values.
//!
//! A configuration or a request that needs the adapter fails while it is read, with one sentence that names the feature.
//! So only the code that uses an adapter depends on its feature, not the code that reads and passes on settings.

#[cfg(not(all(feature = "kafka", feature = "redis")))]
macro_rules! left_out {
    ($feature:literal, $Type:ident { $(fn $method:ident($($argument:ty),*) -> $Output:ty;)* }) => {
        #[derive(Debug, Clone, PartialEq)]
        pub enum $Type {}

        impl<'de> serde::Deserialize<'de> for $Type {
            fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
                Err(serde::de::Error::custom(reason($feature)))
            }
        }

        impl $Type {
            $(pub(crate) fn $method(&self $(, _: $argument)*) -> $Output {
                match *self {}
            })*
        }
    };
}

#[cfg(not(feature = "kafka"))]
mod kafka {
    use redrive_core::{Invalid, Policy};

    use crate::missing_feature::reason;
    use crate::target::CheckedHandBack;
    use crate::{ClusterSettings, OriginConnections, RouteSettingsError, TargetError};

    left_out!("kafka", KafkaRouteSource {
        fn cluster() -> &str;
        fn reads(&str) -> bool;
        fn origin() -> KafkaOriginSettings;
        fn needs_dead_queue() -> bool;
        fn policy() -> Result<Policy, Invalid>;
        fn check_api_limits() -> Result<(), RouteSettingsError>;
        fn check(&ClusterSettings) -> Result<(), RouteSettingsError>;
    });
    left_out!("kafka", IngestRouteSource {
        fn cluster() -> &str;
        fn check_api_limits() -> Result<(), RouteSettingsError>;
        fn check(&ClusterSettings) -> Result<(), RouteSettingsError>;
    });
    left_out!("kafka", KafkaOriginSettings {
        fn cluster() -> &str;
        fn checked(OriginConnections<'_>) -> Result<CheckedHandBack, TargetError>;
    });
}

#[cfg(not(feature = "redis"))]
mod redis {
    use crate::missing_feature::reason;
    use crate::target::CheckedHandBack;
    use crate::{OriginConnections, RouteSettingsError, TargetError};

    left_out!("redis", MailboxRouteSource {
        fn redis() -> &str;
        fn reads(&str) -> bool;
        fn origin() -> MailboxOriginSettings;
        fn has_replies() -> bool;
        fn concurrency() -> u64;
        fn check(bool) -> Result<(), RouteSettingsError>;
    });
    left_out!("redis", MailboxOriginSettings {
        fn redis() -> &str;
        fn checked(OriginConnections<'_>) -> Result<CheckedHandBack, TargetError>;
    });
}

#[cfg(not(feature = "kafka"))]
pub use kafka::{IngestRouteSource, KafkaOriginSettings, KafkaRouteSource};
#[cfg(not(feature = "redis"))]
pub use redis::{MailboxOriginSettings, MailboxRouteSource};
