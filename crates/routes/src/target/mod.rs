//! Targets: their settings, the check of these, and the handlers of a started target.

mod certificates;
mod checked;
mod error;
mod files;
mod kind;
mod limits;
mod program;
mod secret_source;
mod settings;
mod target;

pub use checked::CheckedTarget;
pub use error::TargetError;
pub use kind::TargetKind;
pub use secret_source::SecretSource;
pub use settings::TargetSettings;
pub use target::Target;
