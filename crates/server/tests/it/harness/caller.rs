//! A caller: one HTTP/1.1 connection that sends requests in the form in which clients send them.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::TokioIo;
use redrive_proto::prost::Message;
use serde_json::Value;

pub(crate) struct Caller {
    sender: SendRequest<Full<Bytes>>,
    /// Headers sent with every request.
    pub(crate) headers: HeaderMap,
}

/// A response of the server, read completely.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    /// The path of the request; empty if it is not known.
    pub(crate) path: String,
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Caller {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let (sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(async move {
            // A stopped server closes the connection. The caller that waits for a response sees that as an error.
            let _cut = connection.await;
        });
        Self { sender, headers: HeaderMap::new() }
    }

    pub(crate) fn with_key(mut self, key: &str) -> Self {
        self.headers.insert("authorization", HeaderValue::from_str(&format!("Bearer {key}")).unwrap());
        self
    }

    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Response {
        // The connection task may still be reading the end of the previous response.
        self.sender.ready().await.unwrap();
        let path = request.uri().path().to_owned();
        let response = self.sender.send_request(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Response { path, status: head.status, headers: head.headers, body }
    }

    /// Sends a body of any content type.
    pub(crate) async fn post(&mut self, path: &str, content_type: &str, body: impl Into<Bytes>) -> Response {
        let mut request = Request::post(path).header("host", "localhost").body(Full::new(body.into())).unwrap();
        *request.headers_mut() = self.headers.clone();
        request.headers_mut().insert("host", HeaderValue::from_static("localhost"));
        request.headers_mut().insert("content-type", HeaderValue::from_str(content_type).unwrap());
        self.send(request).await
    }

    /// Requests a page, such as `/metrics`.
    pub(crate) async fn page(&mut self, path: &str) -> Response {
        self.send(Request::get(path).header("host", "localhost").body(Full::default()).unwrap()).await
    }

    /// Sends JSON; the response is JSON.
    pub(crate) async fn json(&mut self, path: &str, body: Value) -> Response {
        self.post(path, "application/json", body.to_string()).await
    }

    /// Sends protobuf without an `Accept` header, as the Go client does; the response is JSON.
    pub(crate) async fn post_protobuf(&mut self, path: &str, message: &impl Message) -> Response {
        self.post(path, "application/protobuf", message.encode_to_vec()).await
    }

    /// Sends a call that must be rejected; returns its code and message.
    pub(crate) async fn rejection(&mut self, path: &str, body: Value) -> (u16, String) {
        self.json(path, body).await.rejection()
    }

    /// Sends a call that must succeed; returns its response.
    pub(crate) async fn ok(&mut self, path: &str, body: Value) -> Value {
        let response = self.json(path, body).await;
        assert_eq!(response.status, StatusCode::OK, "{path}: {}", response.text());
        response.value()
    }
}

/// Whether a call is one of Redrive, whose errors have details. The others are Querator's, or no calls.
fn is_own(path: &str) -> bool {
    const SERVICES: [&str; 6] = ["letters", "routes", "status", "search", "audit", "whoami"];
    const QUEUE: [&str; 6] = ["extend", "pause", "resume", "put", "claim", "settle"];
    match path.trim_start_matches("/v1/").split_once('.') {
        Some(("queue", call)) => QUEUE.contains(&call),
        Some((service, _)) => SERVICES.contains(&service),
        None => false,
    }
}

impl Response {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn value(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn read<T: serde::de::DeserializeOwned>(&self) -> T {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The code of an error and the part of its message that is stable across versions.
    pub(crate) fn stable_rejection(&self) -> (u16, String) {
        let (code, message) = self.rejection();
        (code, message.split(';').next().unwrap_or_default().to_owned())
    }

    /// The code and message of an error, without what else is wrong with the request. Panics if the HTTP status differs from the code, if there is no reason, or if a
    /// call of Querator has details.
    pub(crate) fn rejection(&self) -> (u16, String) {
        let value = self.value();
        let code = u16::try_from(value["code"].as_u64().unwrap_or_else(|| panic!("no error: {value}"))).unwrap();
        assert_eq!(code, self.status.as_u16());
        let details = value.get("details");
        if !self.path.is_empty() {
            assert_eq!(details.is_some(), is_own(&self.path), "{}: {value}", self.path);
        }
        if !self.path.starts_with("/v1/test.") {
            let exact = details.map(|details| details.get("rejection").unwrap_or(&details["reason"]));
            let reason = self.header("x-redrive-reason-code");
            assert!(!reason.is_empty() && exact.is_none_or(|exact| exact == reason), "{reason}: {value}");
        }
        let message = value["message"].as_str().unwrap_or_default();
        (code, message.split("; also: ").next().unwrap_or_default().to_owned())
    }
}
