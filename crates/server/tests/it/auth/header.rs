//! The `Authorization` header that carries an API key.

use http::HeaderValue;
use serde_json::json;

use super::on_each_store_with_auth;
use crate::harness::{TestServer, on_each_store, on_each_store_with_caller};

async fn rejection(server: &TestServer, header: &str) -> (u16, String) {
    let mut caller = server.caller().await;
    caller.headers.insert("authorization", HeaderValue::from_str(header).unwrap());
    caller.json("/v1/namespaces.list", json!({})).await.rejection()
}

fn wrong_scheme() -> (u16, String) {
    (401, "invalid authorization header format".to_owned())
}

#[test]
fn other_authorization_schemes_are_rejected_in_both_modes() {
    for header in ["Basic abc", "bearer abc", "BEARER abc", "Bearer", "Bearerabc", ""] {
        on_each_store(async |server| assert_eq!(rejection(&server, header).await, wrong_scheme(), "{header:?}"));
        on_each_store_with_auth(async |server, _anonymous| {
            assert_eq!(rejection(&server, header).await, wrong_scheme(), "{header:?}");
        });
    }
}

#[test]
fn the_scheme_is_checked_after_the_method_and_before_the_path() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.headers.insert("authorization", HeaderValue::from_static("Basic abc"));
        assert_eq!(caller.json("/v1/no.such", json!({})).await.rejection(), wrong_scheme());
        let request =
            http::Request::get("/v1/users.list").header("host", "localhost").header("authorization", "Basic abc");
        let response = caller.send(request.body(http_body_util::Full::default()).unwrap()).await;
        assert_eq!(response.rejection(), (400, "http method 'GET' not allowed; only POST".to_owned()));
    });
}

#[test]
fn without_authentication_any_key_is_accepted() {
    on_each_store(async |server| {
        for key in ["nonsense", "rdr-live-short"] {
            let mut caller = server.caller().await.with_key(key);
            caller.ok("/v1/users.create", json!({ "username": format!("u{key}") })).await;
        }
    });
}

#[test]
fn a_malformed_key_is_invalid() {
    let entropy = "a".repeat(43);
    let keys = [
        "x".to_owned(),
        format!("qtr-live-{entropy}"),
        format!("rdr-live-{}", &entropy[1..]),
        format!("rdr-Live-{entropy}"),
        format!("rdr-live-{entropy} "),
        format!("rdr-{entropy}"),
    ];
    on_each_store_with_auth(async |server, _anonymous| {
        for key in &keys {
            let response = rejection(&server, &format!("Bearer  {key}")).await;
            assert_eq!(response, (401, "api key is invalid".to_owned()), "{key}");
            // HTTP strips the space at the end of a header value, which leaves a well-formed key.
            if !key.ends_with(' ') {
                let response = rejection(&server, &format!("Bearer {key}")).await;
                assert_eq!(response, (401, "api key is invalid".to_owned()), "{key}");
            }
        }
    });
}

#[test]
fn a_well_formed_unknown_key_does_not_exist() {
    on_each_store_with_auth(async |server, _anonymous| {
        let response = rejection(&server, &format!("Bearer rdr-live-{}", "a".repeat(43))).await;
        assert_eq!(response, (401, "api key does not exist".to_owned()));
    });
}

#[test]
fn health_and_metrics_need_no_key() {
    on_each_store_with_auth(async |_server, mut caller| {
        for path in ["/health", "/metrics"] {
            let request = http::Request::get(path).header("host", "localhost").header("authorization", "Basic x");
            let response = caller.send(request.body(http_body_util::Full::default()).unwrap()).await;
            assert_eq!(response.status, http::StatusCode::OK);
        }
    });
}
