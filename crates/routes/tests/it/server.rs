//! An HTTP server that records its requests.

use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;

use crate::fixture::{certificate, with_timeout};

/// A request as the server received it.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Received {
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

pub(crate) struct Server {
    pub(crate) url: String,
    received_rx: mpsc::Receiver<Received>,
}

/// What a server requires of its clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tls {
    None,
    Server,
    /// The certificate of a client, signed by the test CA.
    Mutual,
}

impl Server {
    pub(crate) async fn answering(status: u16) -> Self {
        Self::answering_by(Tls::None, move |_| answer(status, "")).await
    }

    /// Sends the answer that the function returns for each request.
    pub(crate) async fn answering_by(tls: Tls, answer: impl Fn(&Received) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let scheme = if tls == Tls::None { "http" } else { "https" };
        let url = format!("{scheme}://{}/in", listener.local_addr().unwrap());
        let (received_tx, received_rx) = mpsc::channel(1024);
        let (acceptor, answer) = (acceptor(tls, b"http/1.1"), Arc::new(answer));
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (acceptor, answer, received_tx) = (acceptor.clone(), Arc::clone(&answer), received_tx.clone());
                tokio::spawn(async move {
                    if tls == Tls::None {
                        serve(stream, &*answer, received_tx).await;
                    } else if let Ok(stream) = acceptor.accept(stream).await {
                        serve(stream, &*answer, received_tx).await;
                    }
                });
            }
        });
        Self { url, received_rx }
    }

    pub(crate) async fn next(&mut self) -> Received {
        with_timeout(self.received_rx.recv()).await.unwrap()
    }

    /// A request that was already received, without waiting.
    pub(crate) fn try_next(&mut self) -> Option<Received> {
        self.received_rx.try_recv().ok()
    }
}

/// The TLS side of a server that speaks one protocol.
pub(crate) fn acceptor(tls: Tls, protocol: &[u8]) -> TlsAcceptor {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let builder = if tls == Tls::Mutual {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(certificate("ca.pem")).unwrap()).unwrap();
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
        builder.with_client_cert_verifier(verifier)
    } else {
        builder.with_no_client_auth()
    };
    let chain = vec![CertificateDer::from_pem_file(certificate("server.pem")).unwrap()];
    let key = PrivateKeyDer::from_pem_file(certificate("server-key.pem")).unwrap();
    let mut config = builder.with_single_cert(chain, key).unwrap();
    config.alpn_protocols = vec![protocol.to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

async fn serve(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: &(impl Fn(&Received) -> Vec<u8> + ?Sized),
    received_tx: mpsc::Sender<Received>,
) {
    while let Some(received) = read(&mut stream).await {
        let bytes = answer(&received);
        received_tx.send(received).await.unwrap();
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

/// Reads a request; `None` if the client closed the connection.
pub(crate) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Option<Received> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let mut body = bytes.split_off(end);
    let mut received = Received { head: String::from_utf8(bytes).unwrap(), body: Vec::new() };
    let length: usize = received.value("content-length").map_or(0, |length| length.parse().unwrap());
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    received.body = body;
    Some(received)
}

pub(crate) fn answer(status: u16, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} Whatever\r\ncontent-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
