//! The part of OpenSearch that a projection needs, with faults on demand.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use redrive_core::Span;
use redrive_search::{SearchSettings, template};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The fault of a bulk request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    Status(u16),
    /// 429 with `Retry-After` in seconds.
    RetryAfter(u64),
    /// Not JSON.
    Garbage,
    /// JSON without results for the documents.
    Stub,
    /// No response.
    Hang,
    /// The connection is closed before the response.
    Cut,
    /// The connection is closed in the middle of the response, after all documents were written.
    CutAfter,
    /// Every second document is rejected with 429.
    Half,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) faults: VecDeque<Fault>,
    pub(super) documents: BTreeMap<String, (u64, Value)>,
    /// The sizes of the bulk requests: documents and bytes.
    pub(super) bulks: Vec<(usize, usize)>,
    pub(super) authorizations: Vec<String>,
    /// Documents with more bytes than this are rejected.
    pub(super) bytes_max: Option<usize>,
    /// If set, every request is answered with this status.
    pub(super) down: Option<u16>,
    pub(super) version: &'static str,
    pub(super) index: Option<(String, Value)>,
    has_alias: bool,
}

pub(super) struct FakeOpenSearch {
    pub(super) state: Arc<Mutex<State>>,
    pub(super) url: String,
}

/// Self-signed, for 127.0.0.1; shared with the tests of the client.
pub(super) const CERTIFICATE: &[u8] = include_bytes!("../../../../client/tests/it/certificates/certificate.pem");
const KEY: &[u8] = include_bytes!("../../../../client/tests/it/certificates/key.pem");

impl FakeOpenSearch {
    pub(super) async fn start() -> Self {
        Self::listen(None).await
    }

    /// Starts a server with TLS.
    pub(super) async fn start_with_tls() -> Self {
        let certificate = CertificateDer::from_pem_slice(CERTIFICATE).unwrap();
        let key = PrivateKeyDer::from_pem_slice(KEY).unwrap();
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
        Self::listen(Some(TlsAcceptor::from(Arc::new(config)))).await
    }

    async fn listen(tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let url = format!("{scheme}://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State { version: "2.19.4", ..State::default() }));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (tls, state) = (tls.clone(), Arc::clone(&shared));
                tokio::spawn(async move {
                    match tls {
                        None => serve(stream, state).await,
                        Some(tls) => {
                            // The handshake fails if the client does not trust the certificate.
                            if let Ok(stream) = tls.accept(stream).await {
                                serve(stream, state).await;
                            }
                        }
                    }
                });
            }
        });
        Self { state, url }
    }

    /// Settings with short timeouts and delays.
    pub(super) fn settings(&self) -> SearchSettings {
        SearchSettings {
            request_timeout: Span::from_millis(300),
            backoff_min: Span::from_millis(1),
            backoff_max: Span::from_millis(20),
            ..SearchSettings::new(&self.url)
        }
    }

    pub(super) fn with<T>(&self, access: impl FnOnce(&mut State) -> T) -> T {
        access(&mut self.state.lock().unwrap())
    }
}

async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, state: Arc<Mutex<State>>) {
    let mut buffer = Vec::new();
    while let Some((head, body)) = request(&mut stream, &mut buffer).await {
        let (answer, fault) = {
            let mut state = state.lock().unwrap();
            let authorization = head.lines().find_map(|line| line.strip_prefix("authorization: "));
            state.authorizations.extend(authorization.map(str::to_owned));
            let line = head.lines().next().unwrap_or_default().to_owned();
            let fault = line.contains("/_bulk").then(|| state.faults.pop_front()).flatten();
            (state.answer(&line, &body, fault), fault)
        };
        let (status, text) = match fault {
            Some(Fault::Hang) => return std::future::pending().await,
            Some(Fault::Cut) => return,
            Some(Fault::Status(status)) => (status, "{\"error\":{\"type\":\"5ecret\"}}".to_owned()),
            Some(Fault::RetryAfter(_)) => (429, "{}".to_owned()),
            Some(Fault::Garbage) => (200, "<html>hello</html>".to_owned()),
            Some(Fault::Stub) => (200, "{\"acknowledged\":true}".to_owned()),
            _ => answer,
        };
        let more = match fault {
            Some(Fault::RetryAfter(secs)) => format!("retry-after: {secs}\r\n"),
            _ => String::new(),
        };
        let head = format!(
            "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\n{more}content-length: {}\r\n\r\n",
            text.len()
        );
        let mut bytes = [head.as_bytes(), text.as_bytes()].concat();
        if fault == Some(Fault::CutAfter) {
            bytes.truncate(bytes.len() / 2);
        }
        if stream.write_all(&bytes).await.is_err() || fault == Some(Fault::CutAfter) {
            return;
        }
    }
}

async fn request(stream: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> Option<(String, Vec<u8>)> {
    loop {
        if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&buffer[..end]).to_lowercase();
            let head_with_case = String::from_utf8_lossy(&buffer[..end]).into_owned();
            let len = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
            if buffer.len() >= end + 4 + len {
                let body = buffer[end + 4..end + 4 + len].to_vec();
                buffer.drain(..end + 4 + len);
                return Some((head_with_case, body));
            }
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
}

impl State {
    fn answer(&mut self, line: &str, body: &[u8], fault: Option<Fault>) -> (u16, String) {
        if let Some(status) = self.down {
            return (status, "{}".to_owned());
        }
        let mut words = line.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let path = path.split('?').next().unwrap_or_default();
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let none = || (404, json!({"error": {"type": "index_not_found_exception"}}).to_string());
        match (method, path) {
            (_, path) if path.ends_with("/_bulk") => (200, self.bulk(body, fault).to_string()),
            ("GET", "/") => (200, json!({"version": {"number": self.version}}).to_string()),
            ("GET", "/_index_template/redrive_dlq") => {
                let template = template(&SearchSettings::new("http://localhost"));
                (200, json!({"index_templates": [{"index_template": template}]}).to_string())
            }
            ("GET", "/redrive_dlq") if !self.has_alias => none(),
            ("GET", path)
                if path == "/redrive_dlq" || path.starts_with("/redrive_dlq-") && !path.ends_with("_count") =>
            {
                let Some((name, mappings)) = &self.index else { return (200, "{}".to_owned()) };
                (200, json!({name: {"aliases": {"redrive_dlq": {}}, "mappings": mappings}}).to_string())
            }
            ("PUT", path) if path.starts_with("/redrive_dlq-") => {
                self.index = Some((path[1..].to_owned(), json["mappings"].clone()));
                (200, "{}".to_owned())
            }
            ("POST", "/_aliases") => {
                self.has_alias = true;
                (200, "{}".to_owned())
            }
            ("GET", path) if path.starts_with("/_cluster/health") => (200, json!({"status": "green"}).to_string()),
            ("GET", path) if path.ends_with("/_count") => (200, json!({"count": self.documents.len()}).to_string()),
            ("POST", path) if path.ends_with("/_mget") => {
                let docs = json["ids"].as_array().into_iter().flatten().map(|id| {
                    let version = id.as_str().and_then(|id| self.documents.get(id)).map(|(version, _)| *version);
                    json!({"_id": id, "_version": version, "found": version.is_some()})
                });
                (200, json!({"docs": docs.collect::<Vec<_>>()}).to_string())
            }
            _ => (200, "{}".to_owned()),
        }
    }

    fn bulk(&mut self, body: &[u8], fault: Option<Fault>) -> Value {
        if matches!(fault, Some(fault) if !matches!(fault, Fault::CutAfter | Fault::Half)) {
            return json!({});
        }
        let mut lines = body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let mut items = Vec::new();
        while let Some(action) = lines.next() {
            let action: Value = serde_json::from_slice(action).unwrap();
            if let Some(index) = action.get("index") {
                let line = lines.next().unwrap();
                let document: Value = serde_json::from_slice(line).unwrap();
                let id = index["_id"].as_str().unwrap().to_owned();
                let version = index["version"].as_u64().unwrap();
                let status = match self.documents.get(&id) {
                    _ if fault == Some(Fault::Half) && items.len() % 2 == 1 => 429,
                    _ if self.bytes_max.is_some_and(|most| line.len() > most) => 400,
                    Some((there, _)) if *there >= version => 409,
                    _ => {
                        self.documents.insert(id.clone(), (version, document));
                        201
                    }
                };
                let mut item = json!({"index": {"_id": id, "status": status}});
                if status >= 400 {
                    item["index"]["error"] = json!({"type": "some_exception", "reason": "quotes 5ecret data"});
                }
                items.push(item);
            } else {
                let id = action["delete"]["_id"].as_str().unwrap().to_owned();
                self.documents.remove(&id);
                items.push(json!({"delete": {"_id": id, "status": 200}}));
            }
        }
        self.bulks.push((items.len(), body.len()));
        json!({"errors": true, "items": items})
    }
}
