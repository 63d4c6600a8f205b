//! Targets over TLS. Trusted certificates come from the environment of the process, so each test runs itself in a
//! separate process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use bytes::Bytes;
use http::Response;
use redrive_core::Category;
use redrive_model::Content;
use redrive_run::Handled;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::server::{ReceivedRequest, Server, answer, read, until_idle};
use super::target;
use crate::work::{category, fail, handle, work};

/// A file of the self-signed test certificate for 127.0.0.1.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../client/tests/it/certificates").join(name)
}

/// Whether this process trusts the certificate. If not, runs the test in a process that does.
fn trusts_certificate(test: &str) -> bool {
    if std::env::var_os("SSL_CERT_FILE").is_some_and(|trusted| trusted == file("certificate.pem")) {
        return true;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test]).env("SSL_CERT_FILE", file("certificate.pem")).env_remove("SSL_CERT_DIR");
    let output = command.output().unwrap();
    let output_text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && output_text.contains("1 passed"), "{output_text}");
    false
}

/// An HTTPS server that offers one ALPN protocol.
async fn serving_tls<F>(
    protocol: &str,
    serve: impl Fn(TlsStream<TcpStream>, usize, tokio::sync::mpsc::Sender<ReceivedRequest>) -> F + Send + Clone + 'static,
) -> Server
where
    F: Future<Output = ()> + Send + 'static,
{
    let certificate = CertificateDer::from_pem_file(file("certificate.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(file("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = builder.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let mut server = Server::serving(move |stream, connection, requests_tx| {
        let (acceptor, serve) = (acceptor.clone(), serve.clone());
        async move {
            // A client that does not trust the certificate ends the handshake.
            if let Ok(stream) = acceptor.accept(stream).await {
                serve(stream, connection, requests_tx).await;
            }
        }
    })
    .await;
    server.url = server.url.replace("http:", "https:");
    server
}

/// Answers up to `most` HTTP/2 requests with 200, then shuts the connection down gracefully.
async fn answer_by_h2(
    stream: TlsStream<TcpStream>,
    connection: usize,
    requests_tx: tokio::sync::mpsc::Sender<ReceivedRequest>,
    most: usize,
) {
    let mut serving = h2::server::handshake(stream).await.unwrap();
    let mut count = 0;
    while let Some(Ok((request, mut respond))) = serving.accept().await {
        let (head, mut body) = request.into_parts();
        let requests_tx = requests_tx.clone();
        tokio::spawn(async move {
            let mut bytes = Vec::new();
            while let Some(Ok(piece)) = body.data().await {
                body.flow_control().release_capacity(piece.len()).unwrap();
                bytes.extend_from_slice(&piece);
            }
            let lines = head.headers.iter().map(|(name, value)| format!("\n{name}: {}", value.to_str().unwrap()));
            let lines: String = lines.collect();
            requests_tx
                .send(ReceivedRequest { connection, head: format!("{} {}{lines}", head.method, head.uri), body: bytes })
                .await
                .unwrap();
            let mut sending = respond.send_response(Response::new(()), false).unwrap();
            sending.send_data(Bytes::from_static(b"done"), true).unwrap();
        });
        count += 1;
        if count == most {
            serving.graceful_shutdown();
        }
    }
}

#[tokio::test]
async fn requests_work_over_http_1_1() {
    if !trusts_certificate("http_target::tls::requests_work_over_http_1_1") {
        return;
    }
    let mut server = serving_tls("http/1.1", |mut stream, connection, requests_tx| async move {
        while let Some(received) = read(&mut stream, connection).await {
            stream.write_all(&answer(200, &[], "done")).await.unwrap();
            requests_tx.send(received).await.unwrap();
        }
    })
    .await;
    let target = target(&format!("{}/in?a=b", server.url));
    for _ in 0..3 {
        assert_eq!(handle(&target, work(Content::of_payload("payload"))).await, Handled::DONE);
        let received = server.next_request().await;
        assert_eq!(received.connection, 0);
        assert!(received.head.starts_with("POST /in?a=b HTTP/1.1\r\n"), "{}", received.head);
        assert_eq!(received.values("host"), [server.url.trim_start_matches("https://")]);
        assert_eq!(received.body, b"payload");
    }
}

#[tokio::test]
async fn all_requests_share_a_connection_over_http_2() {
    if !trusts_certificate("http_target::tls::all_requests_share_a_connection_over_http_2") {
        return;
    }
    let mut server =
        serving_tls("h2", |stream, connection, requests_tx| answer_by_h2(stream, connection, requests_tx, 17)).await;
    let target = target(&format!("{}/in?a=b", server.url));
    let call = || handle(&target, work(Content::of_payload("payload")));
    assert_eq!(call().await, Handled::DONE);
    for handled in futures_util::future::join_all(std::iter::repeat_with(call).take(16)).await {
        assert_eq!(handled, Handled::DONE);
    }
    for _ in 0..17 {
        let received = server.next_request().await;
        assert_eq!(received.connection, 0);
        assert!(received.head.starts_with(&format!("POST {}/in?a=b\n", server.url)), "{}", received.head);
        assert_eq!((received.values("host").len(), received.values("redrive-attempt").len()), (0, 1));
        assert_eq!(received.body, b"payload");
    }
    // The server has announced that it accepts no more requests on that connection.
    until_idle().await;
    assert_eq!(call().await, Handled::DONE);
    assert_eq!(server.next_request().await.connection, 1);
}

#[tokio::test]
async fn a_certificate_for_another_name_is_a_network_failure() {
    if !trusts_certificate("http_target::tls::a_certificate_for_another_name_is_a_network_failure") {
        return;
    }
    let server = serving_tls("http/1.1", |_, _, _| async {}).await;
    // The certificate is valid for the address, not for this name.
    let failure = fail(&target(&server.url.replace("127.0.0.1", "localhost")), work(Content::default())).await;
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
    assert!(failure.error.message.ends_with("was not reached"), "{failure:?}");
}
