//! Work with named parts: only the failed parts are retried.

use crate::conformance::NewWork;
use crate::conformance::builders::{AnyDelivery, bytes, record, record_of_parts, retry, with_record, work};
use crate::conformance::fixture::SourceFixture;
use crate::conformance::resolution_kind::ResolutionKind;

async fn fail_parts(fixture: &SourceFixture, got: &AnyDelivery, failed: &[&str]) -> AnyDelivery {
    let settlement = with_record(got, retry(fixture.now()), record_of_parts(failed));
    assert_eq!(fixture.settle_as(got, settlement).await, Ok(()));
    fixture.claim_one(&bytes("a")).await
}

pub(in crate::conformance) async fn a_delivery_has_the_parts_of_its_work(fixture: &SourceFixture) {
    if !fixture.abilities.takes_parts {
        return;
    }
    let parts: Vec<String> = ["x", "y", "z"].map(str::to_owned).into();
    fixture.put_work(NewWork { parts: parts.clone(), ..work("a") }).await;
    let got = fixture.claim_one(&bytes("a")).await;
    assert_eq!(got.work.parts, parts);
    let got = fail_parts(fixture, &got, &["z"]).await;
    assert_eq!(got.work.parts, ["z"]);
}

pub(in crate::conformance) async fn a_partial_retry_yields_only_the_failed_parts(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    let got = fail_parts(fixture, &got, &["x", "y", "z"]).await;
    assert_eq!(got.work.parts, ["x", "y", "z"]);
    let got = fail_parts(fixture, &got, &["x", "z"]).await;
    assert_eq!(got.work.parts, ["x", "z"]);
    let got = fail_parts(fixture, &got, &["z"]).await;
    assert_eq!(got.work.parts, ["z"]);
}

pub(in crate::conformance) async fn a_failure_of_all_parts_keeps_the_parts(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    let got = fail_parts(fixture, &got, &["x", "z"]).await;
    let settlement = with_record(&got, retry(fixture.now()), record("everything failed"));
    assert_eq!(fixture.settle_as(&got, settlement).await, Ok(()));
    assert_eq!(fixture.claim_one(&bytes("a")).await.work.parts, ["x", "z"]);
}

pub(in crate::conformance) async fn parts_are_kept_over_deliveries_without_an_attempt(fixture: &SourceFixture) {
    let got = fixture.put_and_claim("a").await;
    let mut got = fail_parts(fixture, &got, &["x", "z"]).await;
    for kind in [ResolutionKind::Release, ResolutionKind::Defer, ResolutionKind::RedeliverForHandOver] {
        kind.finish(fixture, &got).await;
        got = kind.next_delivery(fixture, &got).await;
        assert_eq!(got.work.parts, ["x", "z"], "after {kind:?}");
    }
    if let Some(lease) = fixture.abilities.lease {
        fixture.outlast(lease).await;
        assert_eq!(fixture.claim_one(&bytes("a")).await.work.parts, ["x", "z"], "after its claim expired");
    }
}
