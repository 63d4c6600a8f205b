//! Calls that fail below the level of gRPC.

use std::sync::Arc;

use h2::Reason;
use redrive_core::{Category, Evidence, Failure, GrpcCode, IoKind, Span};
use redrive_model::Content;
use redrive_run::{Call, GrpcSettings, GrpcTarget, Handled, Handler};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;

use super::server::{Reply, Server};
use super::{METHOD, target};
use crate::work::{
    all_texts, assert_an_hour_costs_no_attempt, category, closed_port, fail, handle, with_timeout, work,
};

#[tokio::test]
async fn a_refused_connection_carries_the_error_of_the_operating_system() {
    let (_held, address) = closed_port();
    let url = format!("http://{address}");
    let target = target(&url);
    for _attempt in 0..3 {
        let failure = fail(&target, work(Content::default())).await;
        assert_eq!(failure.error.evidence, Some(Evidence::Io(IoKind::ConnectionRefused)), "{failure:?}");
        assert_eq!(category(&failure), Category::Network);
        assert_eq!(failure.error.message, format!("{url}{METHOD} was not reached, or broke off"));
    }
}

/// What could not be sent cannot be to blame.
#[tokio::test]
async fn an_hour_of_refused_connections_costs_paused_work_no_attempt() {
    let (_held, address) = closed_port();
    assert_an_hour_costs_no_attempt(target(&format!("http://{address}"))).await;
}

#[tokio::test]
async fn an_unknown_host_is_a_network_failure() {
    let failure = fail(&target("http://absent.invalid:1"), work(Content::default())).await;
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
}

#[tokio::test]
async fn a_server_that_does_not_speak_http_2_is_a_network_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = target(&format!("http://{}", listener.local_addr().unwrap()));
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        }
    });
    let failure = fail(&target, work(Content::default())).await;
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
}

#[tokio::test]
async fn a_connection_closed_before_the_answer_is_a_network_failure() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = target(&format!("http://{}", listener.local_addr().unwrap()));
    tokio::spawn(async move { while listener.accept().await.is_ok() {} });
    let failure = fail(&target, work(Content::default())).await;
    assert_eq!(category(&failure), Category::Network, "{failure:?}");
}

#[tokio::test]
async fn a_call_reset_by_the_server_is_a_network_failure() {
    for reason in [Reason::INTERNAL_ERROR, Reason::REFUSED_STREAM, Reason::CANCEL] {
        let server = Server::answering(Reply::Reset(reason)).await;
        let failure = fail(&target(&server.url), work(Content::default())).await;
        assert_eq!(category(&failure), Category::Network, "{failure:?}");
    }
}

#[tokio::test]
async fn a_target_reconnects_after_a_failed_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = target(&format!("http://{}", listener.local_addr().unwrap()));
    let (first, _) = tokio::join!(handle(&target, work(Content::default())), async {
        drop(listener.accept().await.unwrap());
    });
    assert!(matches!(first, Handled::Failed(_)), "{first:?}");
    let server = async {
        let (stream, _) = listener.accept().await.unwrap();
        let mut calls = h2::server::handshake(stream).await.unwrap();
        let (_call, mut respond) = calls.accept().await.unwrap().unwrap();
        let trailers_only = http::Response::builder().header("grpc-status", "9").body(()).unwrap();
        respond.send_response(trailers_only, true).unwrap();
        // The connection writes frames only while it is polled for the next call.
        calls.accept().await
    };
    let second = tokio::select! {
        handled = handle(&target, work(Content::default())) => handled,
        another = server => panic!("unexpected second call: {another:?}"),
    };
    let Handled::Failed(failure) = second else { panic!("{second:?}") };
    assert_eq!(failure.error.evidence, Some(Evidence::Grpc(GrpcCode::FailedPrecondition)));
}

/// The failure of a call with a deadline of 30 s to a server that does not finish its answer.
async fn failure_by_deadline(server: &mut Server) -> Failure {
    let deadline = Some(Span::from_secs(30));
    let settings = GrpcSettings { deadline, ..GrpcSettings::new(&server.url, METHOD) };
    let target = GrpcTarget::new(&settings).unwrap();
    let attempt = tokio::spawn(async move { fail(&target, work(Content::default())).await });
    assert_eq!(server.next_call().await.values("grpc-timeout"), ["30000000u"]);
    // From here on, timers fire as soon as the runtime is idle.
    tokio::time::pause();
    let failure = with_timeout(attempt).await.unwrap();
    tokio::time::resume();
    failure
}

#[tokio::test]
async fn a_deadline_is_sent_to_the_server_and_enforced() {
    let mut server = Server::answering(Reply::Silence).await;
    let failure = failure_by_deadline(&mut server).await;
    assert_eq!(failure.error.evidence, Some(Evidence::Grpc(GrpcCode::DeadlineExceeded)));
    assert_eq!(category(&failure), Category::Network);
    assert_eq!(server.next_call().await.path, "CANCEL");
}

#[tokio::test]
async fn a_deadline_covers_the_whole_answer() {
    let failure = failure_by_deadline(&mut Server::answering(Reply::Announced(8)).await).await;
    assert_eq!(failure.error.evidence, Some(Evidence::Grpc(GrpcCode::DeadlineExceeded)));
}

#[tokio::test]
async fn a_dropped_attempt_cancels_its_call() {
    let mut server = Server::answering(Reply::Silence).await;
    let target = target(&server.url);
    let attempt = tokio::spawn(async move { target.handle(Call::new(Arc::new(work(Content::default())))).await });
    assert_eq!(server.next_call().await.path, METHOD);
    attempt.abort();
    assert!(with_timeout(attempt).await.unwrap_err().is_cancelled());
    assert_eq!(server.next_call().await.path, "CANCEL");
}

#[tokio::test]
async fn errors_and_debug_output_contain_no_secrets() {
    let (_held, address) = closed_port();
    let mut settings = GrpcSettings::new(format!("http://{address}"), METHOD);
    settings.metadata.push(("x-api-key".into(), "k3y".into()));
    let target = GrpcTarget::new(&settings).unwrap();
    let failure = fail(&target, work(Content::of_payload("p4yload"))).await;
    let texts = format!("{} {settings:?} {target:?}", all_texts(&failure));
    for secret in ["k3y", "p4yload"] {
        assert!(!texts.contains(secret), "{secret} in {texts}");
    }
    assert!(texts.contains("x-api-key"), "{texts}");
}
