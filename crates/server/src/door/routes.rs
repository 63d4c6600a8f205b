//! The calls that there are.

use std::collections::HashMap;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use redrive_proto::prost::Message;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::form::Form;
use crate::app::App;
use crate::audit::AuditTarget;
use crate::desk::Desk;
use crate::fault::Fault;
use crate::settings::Settings;

/// One call of the API.
pub(crate) trait Endpoint: 'static {
    type Request: Message + Default + DeserializeOwned;
    type Answer: Message + Serialize;

    const PATH: &'static str;

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

/// What came, and in which form the answer is wanted.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) body: Bytes,
    pub(crate) form: Form,
    pub(crate) answer_form: Form,
}

type Serve = for<'d> fn(&'d Desk, Sent) -> BoxFuture<'d, Result<Bytes, Fault>>;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Route {
    pub(crate) path: &'static str,
    /// The place of the call among all.
    pub(crate) number: usize,
    pub(crate) body_max: usize,
    pub(crate) serve: Serve,
    pub(crate) refused: fn(&App, &Fault),
}

/// All calls, by their path.
#[derive(Debug)]
pub(crate) struct Routes {
    by_path: HashMap<&'static str, Route>,
}

impl Routes {
    pub(crate) fn find(&self, path: &str) -> Option<&Route> {
        self.by_path.get(path)
    }

    /// The paths, each at its number.
    pub(crate) fn paths(&self) -> Vec<&'static str> {
        let mut routes: Vec<&Route> = self.by_path.values().collect();
        routes.sort_by_key(|route| route.number);
        routes.into_iter().map(|route| route.path).collect()
    }

    fn add<E: Endpoint>(&mut self, settings: &Settings) {
        let number = self.by_path.len();
        let body_max = E::body_max(settings);
        let route = Route { path: E::PATH, number, body_max, serve: serve::<E>, refused: E::refused };
        self.by_path.insert(E::PATH, route);
    }
}

fn serve<E: Endpoint>(desk: &Desk, sent: Sent) -> BoxFuture<'_, Result<Bytes, Fault>> {
    Box::pin(async move {
        let request = sent.form.decode(sent.body)?;
        let Some(targets) = E::targets(&request) else {
            return written::<E>(sent.answer_form, &E::call(desk, request).await?);
        };
        let targets = desk.targets.get_or_init(|| targets);
        tracing::debug!(request = %desk.request, ?targets, "an administrative act");
        let answer = E::call(desk, request).await;
        if let Err(fault) = &answer {
            desk.record_refusal(fault).await;
        }
        written::<E>(sent.answer_form, &answer?)
    })
}

fn written<E: Endpoint>(form: Form, answer: &E::Answer) -> Result<Bytes, Fault> {
    match form {
        Form::Protobuf => Ok(answer.encode_to_vec().into()),
        Form::Json => Form::text(E::json(answer)),
    }
}

macro_rules! routes {
    ($($Endpoint:path,)*) => {
        impl Routes {
            pub(crate) fn new(settings: &Settings) -> Self {
                let mut routes = Self { by_path: HashMap::new() };
                $(routes.add::<$Endpoint>(settings);)*
                routes
            }
        }
    };
}

routes! {
    crate::queue::Produce,
    crate::queue::Lease,
    crate::queue::Complete,
    crate::queue::Retry,
    crate::queue::Clear,
    crate::queue::Stats,
    crate::queue::Reload,
    crate::queue::Extend,
    crate::queue::Pause,
    crate::queue::Resume,
    crate::queue::Put,
    crate::queue::Claim,
    crate::queue::Settle,
    crate::queues::Create,
    crate::queues::Update,
    crate::queues::List,
    crate::queues::Info,
    crate::queues::Delete,
    crate::storage::ListItems,
    crate::storage::ListScheduled,
    crate::storage::Import,
    crate::storage::Delete,
    crate::letters::Capture,
    crate::letters::List,
    crate::letters::Get,
    crate::letters::Retry,
    crate::letters::Process,
    crate::letters::Archive,
    crate::letters::Restore,
    crate::letters::Edit,
    crate::letters::Annotate,
    crate::letters::Purge,
    crate::letters::Groups,
    crate::letters::Explain,
    crate::letters::Stats,
    crate::letters::Plan,
    crate::letters::Confirm,
    crate::letters::Export,
    crate::letters::Import,
    crate::letters::Configure,
    crate::letters::Templates,
    crate::letters::Preview,
    crate::search::Status,
    crate::search::Rebuild,
    crate::search::Restore,
    crate::tenancy::namespaces::Create,
    crate::tenancy::namespaces::Update,
    crate::tenancy::namespaces::List,
    crate::tenancy::namespaces::Delete,
    crate::tenancy::users::Create,
    crate::tenancy::users::List,
    crate::tenancy::users::Delete,
    crate::tenancy::apikeys::Create,
    crate::tenancy::apikeys::List,
    crate::tenancy::apikeys::Delete,
    crate::tenancy::roles::Create,
    crate::tenancy::roles::Update,
    crate::tenancy::roles::List,
    crate::tenancy::roles::Delete,
    crate::tenancy::rolebindings::Create,
    crate::tenancy::rolebindings::List,
    crate::tenancy::rolebindings::Delete,
}
