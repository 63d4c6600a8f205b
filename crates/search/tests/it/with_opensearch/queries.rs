//! Queries.

use redrive_core::{Category, LetterId, RetryPolicy, Status};
use redrive_model::{Archive, CaptureContext, NewLetter, SettleAction};
use redrive_search::{Order, Query, Search, SearchError};
use redrive_store::{Clock, Store, SystemClock};
use serde_json::json;

use super::fixture::{Fixture, caught_up};
use crate::failures::{capture, failed, failure, failure_of, queue, try_once};

#[tokio::test]
async fn the_three_queries_of_the_seed_work() {
    let (fixture, projection, dead) = Fixture::with_dead_queue().await;
    let of = |name: &str, category| failure_of(name, "something broke", category);
    capture(&*fixture.store, &dead, NewLetter { max_retries: 0, ..of("exhausted at once", Category::Network) }).await;
    let spent = capture(&*fixture.store, &dead, NewLetter { max_retries: 1, ..of("spent", Category::Network) }).await;
    assert!(try_once(&*fixture.store, &dead, spent, failed("again", Category::Network)).await);
    capture(&*fixture.store, &dead, of("soon", Category::Transient)).await;
    capture(&*fixture.store, &dead, NewLetter { policy: RetryPolicy::Never, ..of("never", Category::Transient) }).await;
    let much_later = capture(
        &*fixture.store,
        &dead,
        NewLetter { policy: RetryPolicy::Linear, max_retries: 50, ..of("later", Category::Resource) },
    )
    .await;
    // Each delay is five minutes longer: after twelve retries it exceeds an hour.
    for _ in 0..13 {
        assert!(try_once(&*fixture.store, &dead, much_later, failed("again", Category::Resource)).await);
    }
    let archived = capture(&*fixture.store, &dead, of("archived", Category::Transient)).await;
    fixture.store.archive(Archive { queue: dead.clone(), letters: vec![archived] }).await.unwrap();
    let completed = capture(&*fixture.store, &dead, of("completed", Category::Permission)).await;
    assert!(try_once(&*fixture.store, &dead, completed, SettleAction::Complete { attempt: None }).await);
    caught_up(&fixture, &projection).await;

    let exhausted = fixture.hits(json!({"term": {"status.keyword": "exhausted"}})).await;
    assert_eq!(exhausted, ["exhausted at once", "spent"]);
    assert_eq!(
        exhausted,
        fixture.hits(json!({"term": {"status": "exhausted"}})).await,
        "with and without the sub-field"
    );
    let transient = fixture.hits(json!({"term": {"error_category.keyword": "transient"}})).await;
    assert_eq!(transient, ["archived", "never", "soon"]);
    let ready = fixture.hits(json!({"range": {"next_retry_at": {"lte": "now+1h"}}})).await;
    assert_eq!(ready, ["soon"], "no letters without a retry, with a later retry, or in a final state");
    assert_eq!(fixture.hits(json!({"term": {"metadata.team": "payments"}})).await.len(), 7);
    fixture.end(&projection).await;
}

#[tokio::test]
async fn words_are_found_in_all_fields() {
    let (fixture, projection) = Fixture::with_projection().await;
    let (dead, other) = (queue(&*fixture.store, "dead").await, queue(&*fixture.store, "other").await);
    let reset = capture(&*fixture.store, &dead, failure("wf_1")).await;
    let quota =
        capture(&*fixture.store, &dead, failure_of("wf_2", "quota exceeded for tenant blue", Category::Resource)).await;
    let later = capture(&*fixture.store, &other, failure("wf_3")).await;
    assert!(try_once(&*fixture.store, &other, later, failed("handshake failed", Category::Network)).await);
    caught_up(&fixture, &projection).await;
    projection.refresh().await.unwrap();
    let search = projection.search();
    let find = async |text: &str, change: &dyn Fn(&mut Query)| -> Vec<LetterId> {
        let mut query = Query { text: text.to_owned(), limit: 10, ..Query::default() };
        change(&mut query);
        let mut found: Vec<_> =
            search.find(&query).await.unwrap().letters.into_iter().map(|(_, letter)| letter).collect();
        found.sort();
        found
    };
    let all = &|_: &mut Query| {};
    assert_eq!(find("connection reset", all).await, [reset, later], "the first error is searched");
    assert_eq!(find("handshake", all).await, [later], "the newest error is searched");
    assert_eq!(find("reset quota", all).await, [], "all words must occur");
    assert_eq!(find("reset|quota", all).await, [reset, quota, later]);
    assert_eq!(find("\"exceeded for\"", all).await, [quota]);
    assert_eq!(find("tenant -blue", all).await, []);
    assert_eq!(find("wf_2", all).await, [quota]);
    assert_eq!(find("repo/a", all).await, [reset, quota, later]);
    assert_eq!(find("payments", all).await, [reset, quota, later], "metadata");
    assert_eq!(find(&quota.to_string(), all).await, [quota]);
    assert_eq!(find("reset", &|query| query.queue = Some(dead.clone())).await, [reset]);
    assert_eq!(find("", &|query| query.statuses = vec![Status::Archived]).await, []);
    assert_eq!(find("", &|query| query.statuses = vec![Status::Pending]).await.len(), 3);
    for strange in ["\"", "(", ")~~", "a AND OR", "*", "\\", "error:", "{}", &"x ".repeat(64)] {
        let query = Query { text: strange.to_owned(), limit: 10, ..Query::default() };
        search.find(&query).await.unwrap_or_else(|error| panic!("{strange:.20}: {error}"));
    }
    for long in ["x ".repeat(65), "x".repeat(1_001), "a,".repeat(20_000)] {
        let query = Query { text: long, limit: 10, ..Query::default() };
        assert_eq!(search.find(&query).await, Err(SearchError::BadQuery));
    }
    fixture.end(&projection).await;
}

#[tokio::test]
async fn cursors_return_all_pages_in_order() {
    let (fixture, projection, dead) = Fixture::with_dead_queue().await;
    let mut expected = Vec::new();
    for number in 0..25 {
        // Letters with the same time are ordered by id.
        let failed_at = SystemClock.now().saturating_sub(redrive_core::Span::from_mins(number / 3));
        let failed_at = redrive_core::Time::from_secs(failed_at.as_secs() / 60 * 60);
        let letter = capture(&*fixture.store, &dead, NewLetter { failed_at, ..failure(&format!("f-{number}")) }).await;
        expected.push((std::cmp::Reverse(failed_at), letter));
    }
    expected.sort();
    caught_up(&fixture, &projection).await;
    projection.refresh().await.unwrap();
    let search = Search::new(&fixture.settings()).unwrap();
    let pages = async |order: Order| {
        let (mut found, mut cursor) = (Vec::new(), None);
        loop {
            let page = search.find(&Query { limit: 4, cursor, order, ..Query::default() }).await.unwrap();
            assert_eq!(page.total, 25);
            found.extend(page.letters.into_iter().map(|(_, letter)| letter));
            match page.cursor {
                Some(next) => cursor = Some(next),
                None => return found,
            }
        }
    };
    let mut found = pages(Order::Newest).await;
    assert_eq!(found, expected.into_iter().map(|(_, letter)| letter).collect::<Vec<_>>());
    found.sort();
    assert_eq!(pages(Order::ById).await, found, "in the order of a store");
    let count = search.find(&Query::default()).await.unwrap();
    assert_eq!((count.total, count.letters.len()), (25, 0));
    let bad = search.find(&Query { cursor: Some("bad".to_owned()), limit: 1, ..Query::default() }).await;
    assert_eq!(bad, Err(SearchError::BadCursor));
    fixture.end(&projection).await;
}

#[tokio::test]
async fn metadata_is_found_by_path_and_by_words() {
    let (fixture, projection, dead) = Fixture::with_dead_queue().await;
    let noted = json!({"amount": 250, "nothing": null, "order": {"lines": [{"sku": "x7"}, {"sku": "y8"}]}, "tags": ["vip"], "tenant": "acme"});
    let context = CaptureContext { metadata: serde_json::from_value(noted).unwrap(), ..failure("").context };
    let letter = capture(&*fixture.store, &dead, NewLetter { context, ..failure("noted") }).await;
    capture(&*fixture.store, &dead, failure("other")).await;
    caught_up(&fixture, &projection).await;
    for (path, value) in [
        ("metadata.tenant", "acme"),
        ("metadata.amount", "250"),
        ("metadata.tags", "vip"),
        ("metadata.order.lines.sku", "y8"),
    ] {
        assert_eq!(fixture.hits(json!({"term": {path: value}})).await, ["noted"], "{path}");
    }
    projection.refresh().await.unwrap();
    let query = Query { text: "x7".to_owned(), limit: 10, ..Query::default() };
    let found = projection.search().find(&query).await.unwrap();
    assert_eq!(found.letters, [(dead, letter)], "by words");
    fixture.end(&projection).await;
}
