//! The way of a request, in the order in which the API promises it: the first thing that is wrong is answered.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use futures_util::FutureExt;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Body, Incoming};

use super::body::{Bodies, STRANGER_BYTES_MAX, Sender};
use super::form::Form;
use super::members;
use super::route::{Route, Sent};
use super::routes::Routes;
use super::site;
use crate::app::App;
use crate::auth::Caller;
use crate::desk::Desk;
use crate::fault::{Code, Fault};
use crate::metrics::OTHER;
use crate::request_id::RequestId;
use crate::settings::Settings;

pub(crate) type Answer = Response<Full<Bytes>>;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Why an administrative act is done, for its record.
const REASON: HeaderName = HeaderName::from_static("x-redrive-reason");

/// On which connection a request came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Ordinary,
    /// One beyond the limit: only whether the server is well is answered.
    Reserve,
}

/// Finds the call that a request is for, and answers with what became of it.
#[derive(Debug)]
pub(crate) struct Router {
    app: Arc<App>,
    routes: Routes,
    bodies: Bodies,
}

impl Router {
    pub(crate) fn new(app: Arc<App>, routes: Routes) -> Self {
        let bodies = Bodies::new(app.settings.bodies_bytes_max);
        Self { app, routes, bodies }
    }

    /// Answers a request, whatever comes.
    pub(crate) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        peer: SocketAddr,
        place: Place,
    ) -> Result<Answer, Infallible> {
        let id = RequestId::of(request.headers().get(REQUEST_ID), &self.app.ids);
        let timer = self.app.metrics.timer();
        let route = self.routes.find(request.uri().path()).copied();
        let number = route.map_or(OTHER, |route| route.number);
        let is_call = request.method() == Method::POST;
        let form = Form::of_answer(request.headers()).unwrap_or(Form::Json);
        let handled = AssertUnwindSafe(self.handle(request, id.clone(), peer, place)).catch_unwind().await;
        let handled = handled.unwrap_or_else(|_| {
            tracing::error!(request = %id, "a call panicked; this is a defect");
            Err(Fault::internal())
        });
        if let (Some(route), Err(fault)) = (route.filter(|_| is_call), &handled) {
            (route.refused)(&self.app, fault);
        }
        let mut answer = handled.unwrap_or_else(|fault| {
            tracing::debug!(request = %id, code = fault.code.number(), message = fault.kept(), "not done");
            refused(&fault, form)
        });
        let headers = answer.headers_mut();
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if let Ok(value) = HeaderValue::from_str(id.as_str()) {
            headers.insert(REQUEST_ID, value);
        }
        self.app.metrics.answered(number, answer.status(), timer);
        Ok(answer)
    }

    async fn handle(
        &self,
        request: Request<Incoming>,
        id: RequestId,
        peer: SocketAddr,
        place: Place,
    ) -> Result<Answer, Fault> {
        let app = &self.app;
        let path = request.uri().path();
        if place == Place::Reserve && !path.starts_with("/health") && path != "/metrics" {
            let message = "server is overloaded; it has as many connections as it takes, try again later";
            return Err(Fault::new(Code::RetryRequest, message));
        }
        // Whoever asks how a server fares may call it as they like: a balancer has names of its own.
        if !path.starts_with("/health") {
            let Settings { hosts, origins, .. } = &app.settings;
            site::check(request.uri(), request.headers(), hosts, origins)?;
        }
        if request.method() == Method::GET
            && let Some(answer) = app.open_page(path).await
        {
            return Ok(answer);
        }
        if request.method() != Method::POST {
            let method = request.method();
            return Err(Fault::bad(format!("http method '{method}' not allowed; only POST")));
        }
        let caller = app.auth.authenticate(request.headers(), app.deadlines.now()).await?;
        let route = self.routes.find(path).copied();
        let route = route
            .ok_or_else(|| Fault::new(Code::NotImplemented, format!("no such method; {}", request.uri().path())))?;
        if app.closing.is_cancelled() {
            return Err(Fault::closing());
        }
        let (head, body) = request.into_parts();
        let sender = self.sender(&caller, &route, &body).await?;
        // Its share is given back when the answer is there.
        let whole = self.bodies.read(body, route.body_max, sender).await?;
        let body = whole.bytes.clone();
        let form = Form::of_request(&head.headers, body.is_empty())?;
        let answer_form = Form::of_answer(&head.headers)?;
        members::check(form, &body, route.body_max)?;
        let reason = head.headers.get(REASON).and_then(|reason| reason.to_str().ok()).map(str::to_owned);
        let path = route.path;
        let desk = Desk { app: Arc::clone(app), caller, request: id, peer, path, reason, targets: OnceLock::new() };
        let body = (route.serve)(&desk, Sent { body, form, answer_form }).await?;
        tracing::debug!(request = %desk.request, path = route.path, user = %desk.caller.user, "done");
        Ok(response(StatusCode::OK, answer_form.content_type(), body))
    }

    /// Who sends a body, as far as that matters: of a small one everything is read anyway.
    async fn sender(&self, caller: &Caller, route: &Route, body: &Incoming) -> Result<Sender, Fault> {
        let is_small = body.size_hint().upper().is_some_and(|bytes| bytes <= STRANGER_BYTES_MAX as u64);
        let may = is_small || self.app.auth.is_allowed_somewhere(caller, route.needs, route.or).await?;
        Ok(if may { Sender::Known } else { Sender::Stranger })
    }
}

pub(crate) fn response(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn refused(fault: &Fault, form: Form) -> Answer {
    let status = StatusCode::from_u16(fault.code.number()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    // A reply of numbers and texts can always be written.
    let body = form.encode(&fault.reply()).unwrap_or_default();
    response(status, form.content_type(), body)
}
