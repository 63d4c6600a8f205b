//! Targets over TLS: own authorities, and certificates of clients.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response};
use redrive_core::{Category, Failure};
use redrive_run::Handled;
use tokio::net::TcpListener;

use crate::fixture::{call, category, certificate, fail};
use crate::server::{Server, Tls, acceptor, answer};

/// The settings of TLS that name these files.
fn tls(ca: Option<&str>, client: Option<&str>) -> String {
    let ca = ca.map(|ca| format!("ca_file = '{}'\n", certificate(ca).display())).unwrap_or_default();
    let client = client.map(|client| {
        let (file, key) = (certificate(&format!("{client}.pem")), certificate(&format!("{client}-key.pem")));
        format!("client_certificate_file = '{}'\nclient_key_file = '{}'\n", file.display(), key.display())
    });
    ca + &client.unwrap_or_default()
}

async fn https(tls: Tls) -> Server {
    Server::answering_by(tls, |_| answer(200, "")).await
}

/// A gRPC server that answers every call with `OK`.
async fn grpcs(tls: Tls) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    let acceptor = acceptor(tls, b"h2");
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let Ok(mut calls) = h2::server::handshake(stream).await else { return };
                while let Some(Ok((_call, mut respond))) = calls.accept().await {
                    let head = Response::builder().header("content-type", "application/grpc").body(()).unwrap();
                    let mut sending = respond.send_response(head, false).unwrap();
                    sending.send_data(Bytes::from_static(b"\0\0\0\0\x02ok"), false).unwrap();
                    let mut trailers = HeaderMap::new();
                    trailers.insert("grpc-status", HeaderValue::from_static("0"));
                    sending.send_trailers(trailers).unwrap();
                }
            });
        }
    });
    url
}

fn texts(failure: &Failure) -> String {
    let causes: Vec<_> = failure.causes.iter().map(|cause| cause.message.as_str()).collect();
    format!("{}: {}", failure.error.message, causes.join(": "))
}

#[tokio::test]
async fn an_own_authority_is_trusted() {
    let server = https(Tls::Server).await;
    assert_eq!(call(&format!("http = '{}'\n{}", server.url, tls(Some("ca.pem"), None))).await, Handled::DONE);
    let url = grpcs(Tls::Server).await;
    let handled = call(&format!("grpc = '{url}'\nmethod = '/a.B/C'\n{}", tls(Some("ca.pem"), None))).await;
    assert_eq!(handled, Handled::Done { result: Some(Bytes::from_static(b"ok")) });
}

#[tokio::test]
async fn a_server_of_another_authority_is_a_network_failure_that_names_the_cause() {
    for ca in [None, Some("other-ca.pem")] {
        let server = https(Tls::Server).await;
        let grpc = grpcs(Tls::Server).await;
        for text in [format!("http = '{}'", server.url), format!("grpc = '{grpc}'\nmethod = '/a.B/C'")] {
            let failure = fail(&format!("{text}\n{}", tls(ca, None))).await;
            assert_eq!(category(&failure), Category::Network, "{failure:?}");
            let texts = texts(&failure);
            assert!(texts.contains("was not reached") && texts.contains("UnknownIssuer"), "{texts}");
        }
    }
}

#[tokio::test]
async fn a_client_certificate_is_sent_to_a_server_that_asks_for_one() {
    let server = https(Tls::Mutual).await;
    let both = tls(Some("ca.pem"), Some("client"));
    assert_eq!(call(&format!("http = '{}'\n{both}", server.url)).await, Handled::DONE);
    let url = grpcs(Tls::Mutual).await;
    let handled = call(&format!("grpc = '{url}'\nmethod = '/a.B/C'\n{both}")).await;
    assert!(matches!(handled, Handled::Done { .. }), "{handled:?}");
}

#[tokio::test]
async fn a_server_that_asks_for_a_certificate_refuses_a_target_without_one() {
    let server = https(Tls::Mutual).await;
    let failure = fail(&format!("http = '{}'\n{}", server.url, tls(Some("ca.pem"), None))).await;
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
    let texts = texts(&failure);
    assert!(texts.contains("CertificateRequired"), "{texts}");
}
