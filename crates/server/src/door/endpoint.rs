//! A call of the API, seen from the way of a request.

use redrive_proto::prost::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::audit::AuditTarget;
use crate::auth::Permission;
use crate::desk::Desk;
use crate::fault::Fault;
use crate::settings::Settings;

/// One call of the API.
pub(crate) trait Endpoint: 'static {
    type Request: Message + Default + DeserializeOwned;
    type Answer: Message + Serialize;

    const PATH: &'static str;
    /// What its caller must be allowed in the namespace that it is about.
    const NEEDS: Permission;
    /// What is enough for some of its requests.
    const OR: &'static [Permission] = &[];

    /// How large a request may be.
    fn body_max(_settings: &Settings) -> usize {
        256_000
    }

    /// What an administrative act is about. Calls that are none have nothing here.
    fn targets(_request: &Self::Request) -> Option<Vec<AuditTarget>> {
        None
    }

    /// The answer as JSON, where it is not protobuf's own.
    fn json(answer: &Self::Answer) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(answer)
    }

    /// Hears of a request that was refused, at whatever point on its way.
    fn refused(_app: &App, _fault: &Fault) {}

    fn call(desk: &Desk, request: Self::Request) -> impl Future<Output = Result<Self::Answer, Fault>> + Send;
}
