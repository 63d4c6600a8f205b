//! Targets: their settings, the check of these, and the handlers of a started target.

mod batches;
mod certificates;
mod checked;
mod error;
mod files;
mod kafka_origin;
mod kind;
mod limits;
mod mailbox_origin;
mod origin_connections;
mod program;
mod secret_source;
mod settings;
mod started;

pub use checked::CheckedTarget;
pub use error::TargetError;
pub(crate) use files::{CERTIFICATE_BYTES_MAX, read as read_file};
pub use kafka_origin::KafkaOriginSettings;
pub use kind::TargetKind;
pub use mailbox_origin::MailboxOriginSettings;
pub use origin_connections::OriginConnections;
pub use secret_source::SecretSource;
pub(crate) use secret_source::entry_name;
pub use settings::TargetSettings;
pub use started::StartedTarget;
