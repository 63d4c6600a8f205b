//! The header in which a key is shown.

use http::HeaderValue;
use serde_json::json;

use super::each_closed;
use crate::bed::{Bed, each};

async fn refusal(bed: &Bed, header: &str) -> (u16, String) {
    let mut caller = bed.caller().await;
    caller.headers.insert("authorization", HeaderValue::from_str(header).unwrap());
    caller.json("/v1/namespaces.list", json!({})).await.refusal()
}

fn wrong_scheme() -> (u16, String) {
    (401, "invalid authorization header format".to_owned())
}

#[tokio::test]
async fn another_scheme_is_refused_in_both_modes() {
    for header in ["Basic abc", "bearer abc", "BEARER abc", "Bearer", "Bearerabc", ""] {
        each(async |bed| assert_eq!(refusal(&bed, header).await, wrong_scheme(), "{header:?}")).await;
        each_closed(async |bed| assert_eq!(refusal(&bed, header).await, wrong_scheme(), "{header:?}")).await;
    }
}

#[tokio::test]
async fn the_scheme_comes_before_the_path_and_after_the_method() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.headers.insert("authorization", HeaderValue::from_static("Basic abc"));
        assert_eq!(caller.json("/v1/no.such", json!({})).await.refusal(), wrong_scheme());
        let request =
            http::Request::get("/v1/users.list").header("host", "localhost").header("authorization", "Basic abc");
        let heard = caller.send(request.body(http_body_util::Full::default()).unwrap()).await;
        assert_eq!(heard.refusal(), (400, "http method 'GET' not allowed; only POST".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn any_key_is_taken_where_nobody_is_asked_for_one() {
    each(async |bed| {
        for key in ["nonsense", "rdr-live-short"] {
            let mut caller = bed.caller().await.with_key(key);
            caller.ok("/v1/users.create", json!({ "username": format!("u{key}") })).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_malformed_key_is_invalid() {
    let entropy = "a".repeat(43);
    let keys = [
        "x".to_owned(),
        format!("qtr-live-{entropy}"),
        format!("rdr-live-{}", &entropy[1..]),
        format!("rdr-Live-{entropy}"),
        format!("rdr-live-{entropy} "),
        format!("rdr-{entropy}"),
    ];
    each_closed(async |bed| {
        for key in &keys {
            let heard = refusal(&bed, &format!("Bearer  {key}")).await;
            assert_eq!(heard, (401, "api key is invalid".to_owned()), "{key}");
            // The space at the end is not the header's.
            if !key.ends_with(' ') {
                let heard = refusal(&bed, &format!("Bearer {key}")).await;
                assert_eq!(heard, (401, "api key is invalid".to_owned()), "{key}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_key_that_nobody_made_does_not_exist() {
    each_closed(async |bed| {
        let heard = refusal(&bed, &format!("Bearer rdr-live-{}", "a".repeat(43))).await;
        assert_eq!(heard, (401, "api key does not exist".to_owned()));
    })
    .await;
}

#[tokio::test]
async fn health_and_metrics_need_no_key() {
    each_closed(async |bed| {
        let mut caller = bed.caller().await;
        for path in ["/health", "/metrics"] {
            let request = http::Request::get(path).header("host", "localhost").header("authorization", "Basic x");
            let heard = caller.send(request.body(http_body_util::Full::default()).unwrap()).await;
            assert_eq!(heard.status, http::StatusCode::OK);
        }
    })
    .await;
}
