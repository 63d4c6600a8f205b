//! What people find.

use redrive_core::{Category, LetterId, RetryPolicy, Status};
use redrive_model::{Archive, NewLetter, SettleAction};
use redrive_search::{Order, Query, Search, SearchError};
use redrive_store::{Clock, Store, SystemClock};
use serde_json::json;

use super::bed::{Bed, caught_up};
use crate::failures::{capture, failed, failure, failure_of, queue, try_once};

#[tokio::test]
async fn the_seeds_three_queries_find_what_they_should() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let dead = queue(&*bed.store, "dead").await;
    let of = |name: &str, category| failure_of(name, "something broke", category);
    capture(&*bed.store, &dead, NewLetter { max_retries: 0, ..of("exhausted at once", Category::Network) }).await;
    let spent = capture(&*bed.store, &dead, NewLetter { max_retries: 1, ..of("spent", Category::Network) }).await;
    assert!(try_once(&*bed.store, &dead, spent, failed("again", Category::Network)).await);
    capture(&*bed.store, &dead, of("soon", Category::Transient)).await;
    capture(&*bed.store, &dead, NewLetter { policy: RetryPolicy::Never, ..of("never", Category::Transient) }).await;
    let much_later = capture(
        &*bed.store,
        &dead,
        NewLetter { policy: RetryPolicy::Linear, max_retries: 50, ..of("later", Category::Resource) },
    )
    .await;
    // Five minutes more each time: after twelve it is more than an hour.
    for _ in 0..13 {
        assert!(try_once(&*bed.store, &dead, much_later, failed("again", Category::Resource)).await);
    }
    let archived = capture(&*bed.store, &dead, of("archived", Category::Transient)).await;
    bed.store.archive(Archive { queue: dead.clone(), letters: vec![archived] }).await.unwrap();
    let completed = capture(&*bed.store, &dead, of("completed", Category::Permission)).await;
    assert!(try_once(&*bed.store, &dead, completed, SettleAction::Complete { attempt: None }).await);
    caught_up(&bed, &projection).await;

    let exhausted = bed.hits(json!({"term": {"status.keyword": "exhausted"}})).await;
    assert_eq!(exhausted, ["exhausted at once", "spent"]);
    assert_eq!(exhausted, bed.hits(json!({"term": {"status": "exhausted"}})).await, "both spellings");
    let transient = bed.hits(json!({"term": {"error_category.keyword": "transient"}})).await;
    assert_eq!(transient, ["archived", "never", "soon"]);
    let ready = bed.hits(json!({"range": {"next_retry_at": {"lte": "now+1h"}}})).await;
    assert_eq!(ready, ["soon"], "not what nobody retries, what is retried later, or what is over");
    assert_eq!(bed.hits(json!({"term": {"metadata.team": "payments"}})).await.len(), 7);
    bed.end(&projection).await;
}

#[tokio::test]
async fn words_are_found_where_they_stand() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let (dead, other) = (queue(&*bed.store, "dead").await, queue(&*bed.store, "other").await);
    let reset = capture(&*bed.store, &dead, failure("wf_1")).await;
    let quota =
        capture(&*bed.store, &dead, failure_of("wf_2", "quota exceeded for tenant blue", Category::Resource)).await;
    let later = capture(&*bed.store, &other, failure("wf_3")).await;
    assert!(try_once(&*bed.store, &other, later, failed("handshake failed", Category::Network)).await);
    caught_up(&bed, &projection).await;
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
    assert_eq!(find("connection reset", all).await, [reset, later], "the first error stays");
    assert_eq!(find("handshake", all).await, [later], "and so does the newest");
    assert_eq!(find("reset quota", all).await, [], "all words");
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
    bed.end(&projection).await;
}

#[tokio::test]
async fn pages_follow_one_another() {
    let bed = Bed::new();
    let projection = bed.started().await;
    let dead = queue(&*bed.store, "dead").await;
    let mut expected = Vec::new();
    for number in 0..25 {
        // Some failed at the same time: their ids decide.
        let failed_at = SystemClock.now().saturating_sub(redrive_core::Span::from_mins(number / 3));
        let failed_at = redrive_core::Time::from_secs(failed_at.as_secs() / 60 * 60);
        let letter = capture(&*bed.store, &dead, NewLetter { failed_at, ..failure(&format!("f-{number}")) }).await;
        expected.push((std::cmp::Reverse(failed_at), letter));
    }
    expected.sort();
    caught_up(&bed, &projection).await;
    projection.refresh().await.unwrap();
    let search = Search::new(&bed.settings()).unwrap();
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let page = search.find(&Query { limit: 4, cursor, ..Query::default() }).await.unwrap();
        assert_eq!(page.total, 25);
        found.extend(page.letters.into_iter().map(|(_, letter)| letter));
        match page.cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(found, expected.into_iter().map(|(_, letter)| letter).collect::<Vec<_>>());
    let (mut in_order, mut cursor) = (Vec::new(), None);
    loop {
        let query = Query { limit: 4, cursor, order: Order::ById, ..Query::default() };
        let page = search.find(&query).await.unwrap();
        in_order.extend(page.letters.into_iter().map(|(_, letter)| letter));
        match page.cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    found.sort();
    assert_eq!(in_order, found, "as a store lists them");
    let count = search.find(&Query::default()).await.unwrap();
    assert_eq!((count.total, count.letters.len()), (25, 0));
    let bad = search.find(&Query { cursor: Some("bad".to_owned()), limit: 1, ..Query::default() }).await;
    assert_eq!(bad, Err(SearchError::BadCursor));
    bed.end(&projection).await;
}
