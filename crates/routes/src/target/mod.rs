//! Targets: their settings, the check of these, and the handlers of a started target.

mod batches;
mod certificates;
mod checked;
mod error;
mod files;
mod header_source;
mod kind;
mod limits;
mod program;
mod settings;
mod started;

pub use checked::CheckedTarget;
pub use error::TargetError;
pub use header_source::HeaderSource;
pub use kind::TargetKind;
pub use settings::TargetSettings;
pub use started::StartedTarget;
