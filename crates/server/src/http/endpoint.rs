//! The interface that every call of the API implements.

use redrive_proto::prost::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::fault::Fault;
use crate::request_context::RequestContext;
use crate::settings::Settings;

/// One call of the API.
pub(crate) trait Endpoint: 'static {
    type Request: Message + Default + DeserializeOwned;
    type Answer: Message + Serialize;

    const PATH: &'static str;
    /// The permission that a caller needs in the namespace of the target.
    const NEEDS: Permission;
    /// Other permissions that are sufficient for some requests of the call.
    const OR: &'static [Permission] = &[];

    /// Maximum body of a request, in bytes.
    fn body_max(_settings: &Settings) -> usize {
        256_000
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
    fn on_rejected(_app: &App, _fault: &Fault) {}

    fn call(ctx: &RequestContext, request: Self::Request) -> impl Future<Output = Result<Self::Answer, Fault>> + Send;
}
