//! Targets: their settings, the check of these, and the handlers of a started target.

mod certificates;
mod checked;
mod error;
mod files;
mod header_source;
mod kind;
mod limits;
mod program;
mod settings;
mod target;

pub use checked::CheckedTarget;
pub use error::TargetError;
pub use header_source::HeaderSource;
pub use kind::TargetKind;
pub use settings::TargetSettings;
pub use target::Target;
