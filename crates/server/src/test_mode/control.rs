//! The control listener: `POST /v1/test.<verb>`, in JSON.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use redrive_core::{QueueName, Span, Time};
use redrive_model::ListQueues;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use super::TestMode;
use crate::api_error::{ApiError, Code, done};
use crate::app::App;
use crate::http::{Answer, response};

const BODY_MAX: usize = 4_096;

/// Serves control requests until `stop` is cancelled.
pub(crate) async fn serve(app: Arc<App>, mode: TestMode, listener: TcpListener, stop: CancellationToken) {
    let control = Arc::new(Control { app, mode });
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => return,
        };
        match accepted {
            Ok((stream, _)) => {
                tokio::spawn(connection(Arc::clone(&control), stream, stop.clone()));
            }
            Err(error) => tracing::warn!(%error, "accept of a control connection failed"),
        }
    }
}

async fn connection(control: Arc<Control>, stream: TcpStream, stop: CancellationToken) {
    let service = service_fn(move |request| Arc::clone(&control).answer(request));
    let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        ended = connection => {
            if let Err(error) = ended {
                tracing::debug!(%error, "control connection failed");
            }
        }
        () = stop.cancelled() => {}
    }
}

#[derive(Debug)]
struct Control {
    app: Arc<App>,
    mode: TestMode,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Freeze {
    time: Time,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    duration: Span,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneQueue {
    queue_name: QueueName,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoFields {}

impl Control {
    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Answer, Infallible> {
        let (status, reply) = match self.act(request).await {
            Ok(()) => (StatusCode::OK, done()),
            Err(error) => {
                let status = StatusCode::from_u16(error.code.number()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
                (status, error.reply())
            }
        };
        // A reply consists of numbers and strings, which can always be encoded.
        let body = serde_json::to_vec(&reply).unwrap_or_default();
        Ok(response(status, "application/json", body))
    }

    async fn act(&self, request: Request<Incoming>) -> Result<(), ApiError> {
        if request.method() != Method::POST {
            let method = request.method();
            return Err(ApiError::bad(format!("http method '{method}' not allowed; only POST")));
        }
        let path = request.uri().path().to_owned();
        let body = Limited::new(request.into_body(), BODY_MAX).collect().await;
        let body = body.map_err(|_| ApiError::bad("request body is too large or broken; at most 4 KiB are read"))?;
        let body = body.to_bytes();
        let TestMode { clock, store, .. } = &self.mode;
        match path.as_str() {
            "/v1/test.freeze" => clock.freeze(read::<Freeze>(&body)?.time),
            "/v1/test.unfreeze" => {
                read::<NoFields>(&body)?;
                clock.unfreeze();
            }
            "/v1/test.advance" => {
                if !clock.advance(read::<Advance>(&body)?.duration) {
                    return Err(ApiError::bad("the clock is not frozen; freeze it first"));
                }
            }
            "/v1/test.pause" => {
                let queue = read::<OneQueue>(&body)?.queue_name;
                store.freeze(queue.clone()).await?;
                self.app.frozen_queues.set(queue, true);
            }
            "/v1/test.unpause" => {
                let queue = read::<OneQueue>(&body)?.queue_name;
                store.unfreeze(queue.clone()).await?;
                self.app.frozen_queues.set(queue, false);
            }
            "/v1/test.bootstrap" => {
                read::<NoFields>(&body)?;
                // Without a key: the server was bootstrapped when it started, so no new one is created.
                self.app.bootstrap(None).await?;
            }
            _ => return Err(ApiError::new(Code::NotImplemented, format!("no such method; {path}"))),
        }
        // Any request makes the store process what is due at the new time, so the next caller sees the effect.
        store.queues(ListQueues { limit: 1, ..ListQueues::default() }).await?;
        Ok(())
    }
}

/// Reads a request; an empty body is read as `{}`.
fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, ApiError> {
    let body: &[u8] = if body.is_empty() { b"{}" } else { body };
    serde_json::from_slice(body).map_err(|error| ApiError::new(Code::ContentError, error.to_string()))
}
