//! The interface that every call of the API implements.

use redrive_proto::prost::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api_error::ApiError;
use crate::app::App;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::request_context::RequestContext;
use crate::settings::{SMALL_BODY_MAX, Settings};

/// One call of the API.
pub(crate) trait Endpoint: 'static {
    type Request: Message + Default + DeserializeOwned;
    type Answer: Message + Serialize;

    const PATH: &'static str;
    /// The permission that a caller needs in the namespace of the target.
    const NEEDS: Permission;
    /// Other permissions that are sufficient for some requests of the call.
    const OR: &'static [Permission] = &[];
    const BODY_MAX: BodyLimit = BodyLimit::Bytes(256_000);

    /// Maximum body of a request, in bytes.
    fn body_max(settings: &Settings) -> usize {
        Self::BODY_MAX.bytes(settings)
    }

    /// The targets of an administrative act, for its audit record; `None` if the request is not an administrative act.
    fn targets(_request: &Self::Request) -> Option<Vec<AuditTarget>> {
        None
    }

    /// The answer as JSON. Overridden if it differs from protobuf's JSON.
    fn json(answer: &Self::Answer) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(answer)
    }

    /// Called for each request of this call that was rejected, also before the call itself ran.
    fn on_rejected(_app: &App, _error: &ApiError) {}

    fn call(
        ctx: &RequestContext,
        request: Self::Request,
    ) -> impl Future<Output = Result<Self::Answer, ApiError>> + Send;
}

/// The maximum body of the requests of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BodyLimit {
    /// For requests that contain little more than a queue's name.
    Small,
    Bytes(usize),
    /// That of a produce request, which is a setting.
    Produce,
}

impl BodyLimit {
    const fn bytes(self, settings: &Settings) -> usize {
        match self {
            Self::Small => SMALL_BODY_MAX,
            Self::Bytes(bytes) => bytes,
            Self::Produce => settings.produce_body_max,
        }
    }
}
