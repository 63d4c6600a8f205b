//! How a health document spells states.

use http::HeaderValue;

use super::HealthState;

/// The words for states, and the media type of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealthFormat {
    /// `healthy`, `degraded` and `unhealthy`, as `application/json`.
    Json,
    /// `pass`, `warn` and `fail`, as `application/health+json`, whose readers know only these.
    HealthJson,
}

impl HealthFormat {
    pub const fn word(self, state: HealthState) -> &'static str {
        match (self, state) {
            (Self::Json, HealthState::Healthy) => "healthy",
            (Self::Json, HealthState::Degraded) => "degraded",
            (Self::Json, HealthState::Unhealthy) => "unhealthy",
            (Self::HealthJson, HealthState::Healthy) => "pass",
            (Self::HealthJson, HealthState::Degraded) => "warn",
            (Self::HealthJson, HealthState::Unhealthy) => "fail",
        }
    }

    pub(super) const fn content_type(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Json => "application/json",
            Self::HealthJson => "application/health+json",
        })
    }
}
