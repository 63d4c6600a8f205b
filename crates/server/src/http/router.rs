//! Handles a request from its head to its answer. The checks run in the order that the API promises, and the first one
//! that fails is reported.

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

use super::body::{BodyReader, Sender, UNAUTHORIZED_BYTES_MAX};
use super::parts;
use super::route::{Api, RawRequest, Route};
use super::routes::Routes;
use super::site;
use super::wire_format::WireFormat;
use crate::api_error::{ApiError, Code};
use crate::app::App;
use crate::auth::Caller;
use crate::metrics::OTHER;
use crate::request_context::RequestContext;
use crate::request_id::RequestId;
use crate::settings::Settings;

pub(crate) type Answer = Response<Full<Bytes>>;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The reason for an administrative act, for its audit record.
const REASON: HeaderName = HeaderName::from_static("x-redrive-reason");
/// The exact reason of an error, and the values of its message.
const REASON_CODE: HeaderName = HeaderName::from_static("x-redrive-reason-code");
const REASON_FIELDS: HeaderName = HeaderName::from_static("x-redrive-reason-fields");

/// The kind of connection that a request came on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConnectionKind {
    Ordinary,
    /// A connection beyond `server.connections_max`: only health and metrics are answered.
    Reserve,
}

/// Routes requests to their calls.
#[derive(Debug)]
pub(crate) struct Router {
    app: Arc<App>,
    routes: Routes,
    body_reader: BodyReader,
}

impl Router {
    pub(crate) fn new(app: Arc<App>, routes: Routes) -> Self {
        let body_reader = BodyReader::new(app.settings.bodies_bytes_max);
        Self { app, routes, body_reader }
    }

    /// Answers a request. A error or a panic of the call becomes an error reply.
    pub(crate) async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        peer: SocketAddr,
        kind: ConnectionKind,
    ) -> Result<Answer, Infallible> {
        let id = RequestId::of(request.headers().get(REQUEST_ID), &self.app.ids);
        let timer = self.app.metrics.timer();
        let route = self.routes.find(request.uri().path()).copied();
        let number = route.map_or(OTHER, |route| route.number);
        let is_call = request.method() == Method::POST;
        let format = WireFormat::of_answer(request.headers()).unwrap_or(WireFormat::Json);
        let handled = AssertUnwindSafe(self.handle(request, id.clone(), peer, kind)).catch_unwind().await;
        let handled = handled.unwrap_or_else(|_| {
            tracing::error!(request = %id, "call panicked; this is a bug");
            Err(ApiError::internal())
        });
        if let (Some(route), Err(error)) = (route.filter(|_| is_call), &handled) {
            (route.on_rejected)(&self.app, error);
        }
        let mut answer = handled.unwrap_or_else(|error| {
            tracing::debug!(request = %id, code = error.code.number(), message = error.loggable(), "request failed");
            error_response(&error, format, route.map_or(Api::Querator, |route| route.api))
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
        kind: ConnectionKind,
    ) -> Result<Answer, ApiError> {
        let app = &self.app;
        let path = request.uri().path();
        if kind == ConnectionKind::Reserve && !path.starts_with("/health") && path != "/metrics" {
            let message = "server is overloaded; the limit of connections is reached, try again later";
            return Err(ApiError::new(Code::RetryRequest, message).because("server_overloaded"));
        }
        // Health checks may use any host name: load balancers use their own.
        if !path.starts_with("/health") {
            let Settings { hosts, origins, .. } = &app.settings;
            site::check(request.uri(), request.headers(), hosts, origins)?;
        }
        if request.method() == Method::GET
            && let Some(answer) = app.public_page(path).await
        {
            return Ok(answer);
        }
        if request.method() != Method::POST {
            let method = request.method();
            let error = ApiError::bad(format!("http method '{method}' not allowed; only POST"));
            return Err(error.because("method_not_allowed"));
        }
        let caller = app.auth.authenticate(request.headers(), app.deadlines.now()).await?;
        let route = self.routes.find(path).copied();
        let route = route
            .ok_or_else(|| ApiError::new(Code::NotImplemented, format!("no such method; {}", request.uri().path())))?;
        if app.closing.is_cancelled() {
            return Err(ApiError::closing());
        }
        let (head, body) = request.into_parts();
        let sender = self.sender(&caller, &route, &body).await?;
        // Its memory counts until the answer is complete.
        let whole = self.body_reader.read(body, route.body_max, sender).await?;
        let body = whole.bytes.clone();
        let format = WireFormat::of_request(&head.headers, body.is_empty())?;
        let answer_format = WireFormat::of_answer(&head.headers)?;
        parts::check(format, &body, route.body_max)?;
        let reason = head.headers.get(REASON).and_then(|reason| std::str::from_utf8(reason.as_bytes()).ok());
        let reason = reason.map(str::to_owned);
        let path = route.path;
        let (targets, act_namespace) = (OnceLock::new(), OnceLock::new());
        let app = Arc::clone(app);
        let ctx = RequestContext { app, caller, request: id, peer: Some(peer), path, reason, targets, act_namespace };
        let body = (route.serve)(&ctx, RawRequest { body, format, answer_format }).await?;
        tracing::debug!(request = %ctx.request, path = route.path, user = %ctx.caller.user, "request done");
        Ok(response(StatusCode::OK, answer_format.content_type(), body))
    }

    /// Whether the sender of a body may make the call. Not checked for a small body, which is read completely anyway.
    async fn sender(&self, caller: &Caller, route: &Route, body: &Incoming) -> Result<Sender, ApiError> {
        let is_small = body.size_hint().upper().is_some_and(|bytes| bytes <= UNAUTHORIZED_BYTES_MAX as u64);
        let may = is_small || self.app.auth.is_allowed_somewhere(caller, route.needs, route.or).await?;
        Ok(if may { Sender::Authorized } else { Sender::Unauthorized(caller.denied(route.needs)) })
    }
}

pub(crate) fn response(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn error_response(error: &ApiError, format: WireFormat, api: Api) -> Answer {
    let status = StatusCode::from_u16(error.code.number()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let (reply, fields) = match api {
        Api::Redrive => (error.detailed_reply(), None),
        Api::Querator => (error.reply(), error.fields_header()),
    };
    // A reply consists of numbers and strings, which can always be encoded.
    let body = format.encode(&reply, serde_json::to_vec).unwrap_or_default();
    let mut answer = response(status, format.content_type(), body);
    // A reason consists of letters and underscores, the fields of printable ASCII.
    let headers = [(REASON_CODE, Some(&*error.reason)), (REASON_FIELDS, fields.as_deref())];
    for (name, text) in headers {
        if let Some(value) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
            answer.headers_mut().insert(name, value);
        }
    }
    answer
}
