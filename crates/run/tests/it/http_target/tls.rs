//! Targets over TLS. Whom to trust is the machine's affair, told by the environment: each case has a process of its own.

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

use super::server::{Seen, Server, all_noticed, answer, read};
use super::target;
use crate::work::{category, fail, handle, work};

/// Signed by itself, for 127.0.0.1 and for tests alone.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../client/tests/it/certificates").join(name)
}

/// Whether this process trusts the certificate. If not, the case is run by one that does.
fn is_trusting(case: &str) -> bool {
    if std::env::var_os("SSL_CERT_FILE").is_some_and(|trusted| trusted == file("certificate.pem")) {
        return true;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", case]).env("SSL_CERT_FILE", file("certificate.pem")).env_remove("SSL_CERT_DIR");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

/// An https server that speaks one protocol.
async fn speaking<F>(
    protocol: &str,
    talk: impl Fn(TlsStream<TcpStream>, usize, tokio::sync::mpsc::Sender<Seen>) -> F + Send + Clone + 'static,
) -> Server
where
    F: Future<Output = ()> + Send + 'static,
{
    let certificate = CertificateDer::from_pem_file(file("certificate.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(file("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let mut config = builder.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let mut server = Server::talking(move |stream, connection, told| {
        let (acceptor, talk) = (acceptor.clone(), talk.clone());
        async move {
            // Whoever does not trust it, ends here.
            if let Ok(stream) = acceptor.accept(stream).await {
                talk(stream, connection, told).await;
            }
        }
    })
    .await;
    server.url = server.url.replace("http:", "https:");
    server
}

/// Answers so many requests of HTTP/2 with 200, and takes no more.
async fn answer_by_h2(
    stream: TlsStream<TcpStream>,
    connection: usize,
    told: tokio::sync::mpsc::Sender<Seen>,
    most: usize,
) {
    let mut serving = h2::server::handshake(stream).await.unwrap();
    let mut count = 0;
    while let Some(Ok((request, mut respond))) = serving.accept().await {
        let (head, mut body) = request.into_parts();
        let told = told.clone();
        tokio::spawn(async move {
            let mut bytes = Vec::new();
            while let Some(Ok(piece)) = body.data().await {
                body.flow_control().release_capacity(piece.len()).unwrap();
                bytes.extend_from_slice(&piece);
            }
            let lines = head.headers.iter().map(|(name, value)| format!("\n{name}: {}", value.to_str().unwrap()));
            let lines: String = lines.collect();
            told.send(Seen { connection, head: format!("{} {}{lines}", head.method, head.uri), body: bytes })
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
async fn over_http_1() {
    if !is_trusting("http_target::tls::over_http_1") {
        return;
    }
    let mut server = speaking("http/1.1", |mut stream, connection, told| async move {
        while let Some(seen) = read(&mut stream, connection).await {
            stream.write_all(&answer(200, &[], "done")).await.unwrap();
            told.send(seen).await.unwrap();
        }
    })
    .await;
    let target = target(&format!("{}/in?a=b", server.url));
    for _ in 0..3 {
        assert_eq!(handle(&target, work(Content::of_payload("payload"))).await, Handled::DONE);
        let seen = server.seen().await;
        assert_eq!(seen.connection, 0);
        assert!(seen.head.starts_with("POST /in?a=b HTTP/1.1\r\n"), "{}", seen.head);
        assert_eq!(seen.values("host"), [server.url.trim_start_matches("https://")]);
        assert_eq!(seen.body, b"payload");
    }
}

#[tokio::test]
async fn over_http_2_by_one_connection_for_all() {
    if !is_trusting("http_target::tls::over_http_2_by_one_connection_for_all") {
        return;
    }
    let mut server = speaking("h2", |stream, connection, told| answer_by_h2(stream, connection, told, 17)).await;
    let target = target(&format!("{}/in?a=b", server.url));
    let call = || handle(&target, work(Content::of_payload("payload")));
    assert_eq!(call().await, Handled::DONE);
    for handled in futures_util::future::join_all(std::iter::repeat_with(call).take(16)).await {
        assert_eq!(handled, Handled::DONE);
    }
    for _ in 0..17 {
        let seen = server.seen().await;
        assert_eq!(seen.connection, 0);
        assert!(seen.head.starts_with(&format!("POST {}/in?a=b\n", server.url)), "{}", seen.head);
        assert_eq!((seen.values("host").len(), seen.values("redrive-attempt").len()), (0, 1));
        assert_eq!(seen.body, b"payload");
    }
    // It takes no more requests by that connection, and says so.
    all_noticed().await;
    assert_eq!(call().await, Handled::DONE);
    assert_eq!(server.seen().await.connection, 1);
}

#[tokio::test]
async fn a_certificate_for_somebody_else_is_a_fault_of_the_network() {
    if !is_trusting("http_target::tls::a_certificate_for_somebody_else_is_a_fault_of_the_network") {
        return;
    }
    let server = speaking("http/1.1", |_, _, _| async {}).await;
    // Its certificate is for an address, and not for this name.
    let failure = fail(&target(&server.url.replace("127.0.0.1", "localhost")), work(Content::default())).await;
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
    assert!(failure.error.message.ends_with("was not reached"), "{failure:?}");
}
