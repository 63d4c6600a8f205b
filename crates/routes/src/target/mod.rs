//! Targets: their settings, the check of these, and the handlers of a started target.

mod batches;
mod certificates;
mod checked;
mod checked_hand_back;
mod error;
mod files;
#[cfg(feature = "kafka")]
mod kafka_origin;
mod kind;
mod limits;
#[cfg(feature = "redis")]
mod mailbox_origin;
mod origin_connections;
mod program;
mod secret_source;
mod settings;
mod started;

pub use checked::CheckedTarget;
pub(crate) use checked_hand_back::CheckedHandBack;
pub use error::TargetError;
#[cfg(feature = "redis")]
pub(crate) use files::{CERTIFICATE_BYTES_MAX, read as read_file, read_client_certificate};
#[cfg(feature = "kafka")]
pub use kafka_origin::KafkaOriginSettings;
pub use kind::TargetKind;
#[cfg(feature = "redis")]
pub use mailbox_origin::MailboxOriginSettings;
pub use origin_connections::OriginConnections;
pub use secret_source::SecretSource;
#[cfg(feature = "kafka")]
pub(crate) use secret_source::entry_name;
pub use settings::TargetSettings;
pub use started::StartedTarget;

#[cfg(not(feature = "kafka"))]
pub use crate::left_out::KafkaOriginSettings;
#[cfg(not(feature = "redis"))]
pub use crate::left_out::MailboxOriginSettings;
