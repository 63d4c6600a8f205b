//! Every call has a deadline. Tokio's clock is paused and advances while tasks wait, so that half a minute passes at once.

use redrive_client::proto::querator::{QueueLeaseRequest, QueueProduceRequest, QueueStatsRequest};
use redrive_client::{ClientError, Span};
use tokio::time::Instant;

use crate::stub::{Action, Stub};

#[tokio::test(start_paused = true)]
async fn the_default_deadline_is_half_a_minute() {
    let (stub, client) = Stub::with_client(vec![Action::Hang]).await;
    let began = Instant::now();
    let error = client.stats(&QueueStatsRequest::default()).await.unwrap_err();
    assert!(matches!(error, ClientError::Timeout { within, .. } if within == Span::from_secs(30)), "{error:?}");
    assert_eq!(began.elapsed().as_secs(), 30);
    assert_eq!(stub.requests(), 1, "the deadline covers all tries");
}

#[tokio::test(start_paused = true)]
async fn the_timeout_of_a_request_is_added_to_the_deadline() {
    let (_stub, client) = Stub::with_client(vec![Action::Hang]).await;
    let began = Instant::now();
    let request = QueueLeaseRequest { request_timeout: "5m".to_owned(), ..QueueLeaseRequest::default() };
    client.lease(&request).await.unwrap_err();
    assert_eq!(began.elapsed().as_secs(), 330);

    let began = Instant::now();
    let request = QueueProduceRequest { request_timeout: "no time".to_owned(), ..QueueProduceRequest::default() };
    client.produce(&request).await.unwrap_err();
    assert_eq!(began.elapsed().as_secs(), 30);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_is_not_answered_does_not_exceed_the_deadline() {
    let stub = Stub::new(vec![Action::Hang]).await;
    let client = stub.client().deadline(Span::from_secs(2)).build().unwrap();
    let began = Instant::now();
    assert!(matches!(client.health().await.unwrap_err(), ClientError::Timeout { .. }));
    assert_eq!(began.elapsed().as_secs(), 2);
}

#[tokio::test(start_paused = true)]
async fn tries_do_not_exceed_the_deadline() {
    let stub = Stub::new(vec![Action::Close]).await;
    let builder = stub.client().deadline(Span::from_secs(10)).tries(u32::MAX);
    let client = builder.build().unwrap();
    let began = Instant::now();
    assert!(matches!(client.stats(&QueueStatsRequest::default()).await.unwrap_err(), ClientError::Timeout { .. }));
    assert_eq!(began.elapsed().as_secs(), 10);
    assert!((5..40).contains(&stub.requests()), "{} tries with delays", stub.requests());
}
