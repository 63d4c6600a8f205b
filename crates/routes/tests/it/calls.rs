//! What a target sends, and which answers it takes for success.

use redrive_core::Category;
use redrive_run::Handled;
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::fixture::{call, category, fail};
use crate::server::{Server, Tls, answer};

#[tokio::test]
async fn method_and_headers_are_sent() {
    let mut server = Server::answering(200).await;
    let url = &server.url;
    let text = format!("http = '{url}?a=b'\nmethod = 'put'\nheaders = {{ x-team = 'orders', accept = 'text/plain' }}");
    assert_eq!(call(&text).await, Handled::DONE);
    let received = server.next().await;
    assert!(received.head.starts_with("PUT /in?a=b HTTP/1.1\r\n"), "{}", received.head);
    assert_eq!((received.value("x-team"), received.value("accept")), (Some("orders"), Some("text/plain")));
    assert_eq!(received.body, b"order");
}

#[tokio::test]
async fn expected_statuses_mean_success_and_no_others() {
    let cases: &[(&str, u16, bool)] = &[
        ("", 200, true),
        ("", 204, true),
        ("", 404, false),
        ("expected = [200, 404]", 200, true),
        ("expected = [200, 404]", 404, true),
        ("expected = [200, 404]", 500, false),
        ("expected = ['2xx', '409']", 299, true),
        ("expected = ['2xx', '409']", 409, true),
        ("expected = ['3xx']", 302, true),
        ("expected = [207]", 200, false),
    ];
    for (expected, status, is_success) in cases {
        let server = Server::answering(*status).await;
        let handled = call(&format!("http = '{}'\n{expected}", server.url)).await;
        assert_eq!(handled == Handled::DONE, *is_success, "{expected} {status}: {handled:?}");
    }
}

#[tokio::test]
async fn a_success_that_is_not_expected_is_a_permanent_failure_that_says_so() {
    let server = Server::answering(202).await;
    let failure = fail(&format!("http = '{}'\nexpected = [200, '4xx']", server.url)).await;
    let expected = format!("POST {} answered 202 instead of an expected status (200, 4xx)", server.url);
    assert_eq!(failure.error.message, expected);
    assert_eq!(failure.error.code.as_deref(), Some("unexpected_status"));
    assert_eq!(category(&failure), Category::Permanent);
}

#[tokio::test]
async fn a_207_keeps_its_meaning_where_it_is_expected() {
    let body = r#"{"failed_parts":["a"],"error":"timed out"}"#;
    let server = Server::answering_by(Tls::None, |_| answer(207, body)).await;
    let failure = fail(&format!("http = '{}'", server.url)).await;
    assert_eq!(failure.parts, ["a"]);
    let failure = fail(&format!("http = '{}'\nexpected = [200]", server.url)).await;
    assert_eq!((failure.error.code.as_deref(), failure.parts.len()), (Some("unexpected_status"), 0));
}

#[tokio::test(start_paused = true)]
async fn the_connect_timeout_covers_the_handshake() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let begin = Instant::now();
    let failure = fail(&format!("http = 'https://{address}/'\nconnect_timeout_ms = 250")).await;
    assert_eq!(category(&failure), Category::Network);
    assert_eq!(failure.error.message, format!("POST https://{address}/ was not reached in time"));
    assert!((250..260).contains(&begin.elapsed().as_millis()), "{:?}", begin.elapsed());
    let begin = Instant::now();
    let failure = fail(&format!("grpc = 'https://{address}'\nmethod = '/a.B/C'\nconnect_timeout_ms = 250")).await;
    assert_eq!(category(&failure), Category::Network);
    assert!(failure.error.message.ends_with("/a.B/C was not reached, or broke off"), "{failure}");
    assert!((250..260).contains(&begin.elapsed().as_millis()), "{:?}", begin.elapsed());
}
