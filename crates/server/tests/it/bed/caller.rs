//! A caller: one connection, and requests in the form in which clients send them.

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
    /// Sent with every request.
    pub(crate) headers: HeaderMap,
}

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Caller {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let (sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(async move {
            // A server that was stopped cuts the connection; whoever waits for an answer notices.
            let _cut = connection.await;
        });
        Self { sender, headers: HeaderMap::new() }
    }

    pub(crate) fn with_key(mut self, key: &str) -> Self {
        self.headers.insert("authorization", HeaderValue::from_str(&format!("Bearer {key}")).unwrap());
        self
    }

    pub(crate) async fn send(&mut self, request: Request<Full<Bytes>>) -> Heard {
        // The task of the connection may still be busy with the end of the answer before.
        self.sender.ready().await.unwrap();
        let response = self.sender.send_request(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Heard { status: head.status, headers: head.headers, body }
    }

    /// A request with a body of any kind.
    pub(crate) async fn post(&mut self, path: &str, content_type: &str, body: impl Into<Bytes>) -> Heard {
        let mut request = Request::post(path).header("host", "localhost").body(Full::new(body.into())).unwrap();
        *request.headers_mut() = self.headers.clone();
        request.headers_mut().insert("host", HeaderValue::from_static("localhost"));
        request.headers_mut().insert("content-type", HeaderValue::from_str(content_type).unwrap());
        self.send(request).await
    }

    /// A request in JSON, answered in JSON.
    pub(crate) async fn json(&mut self, path: &str, body: Value) -> Heard {
        self.post(path, "application/json", body.to_string()).await
    }

    /// A request as the Go client sends it: protobuf without Accept, so that JSON comes back.
    pub(crate) async fn go(&mut self, path: &str, message: &impl Message) -> Heard {
        self.post(path, "application/protobuf", message.encode_to_vec()).await
    }

    /// A call that is refused, with its code and message.
    pub(crate) async fn refused(&mut self, path: &str, body: Value) -> (u16, String) {
        self.json(path, body).await.refusal()
    }

    /// A call that succeeds.
    pub(crate) async fn ok(&mut self, path: &str, body: Value) -> Value {
        let heard = self.json(path, body).await;
        assert_eq!(heard.status, StatusCode::OK, "{path}: {}", heard.text());
        heard.value()
    }
}

impl Heard {
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

    /// The code, which the status must repeat, and the message.
    pub(crate) fn refusal(&self) -> (u16, String) {
        let value = self.value();
        let code = u16::try_from(value["code"].as_u64().unwrap_or_else(|| panic!("no error: {value}"))).unwrap();
        assert_eq!(code, self.status.as_u16());
        assert!(value.get("details").is_none(), "{value}");
        (code, value["message"].as_str().unwrap_or_default().to_owned())
    }
}
