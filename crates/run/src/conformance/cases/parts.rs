//! Of work with named parts, only those are tried again that failed.

use crate::conformance::NewWork;
use crate::conformance::bed::SourceBed;
use crate::conformance::way::Way;
use crate::conformance::words::{Got, bytes, record, record_of_parts, retry, with_record, work};

async fn fail_parts(bed: &SourceBed, got: &Got, failed: &[&str]) -> Got {
    let settlement = with_record(got, retry(bed.now()), record_of_parts(failed));
    assert_eq!(bed.settle_as(got, settlement).await, Ok(()));
    bed.claim_one(&bytes("a")).await
}

pub(in crate::conformance) async fn work_comes_with_its_parts(bed: &SourceBed) {
    if !bed.abilities.takes_parts {
        return;
    }
    let parts: Vec<String> = ["x", "y", "z"].map(str::to_owned).into();
    bed.put_work(NewWork { parts: parts.clone(), ..work("a") }).await;
    let got = bed.claim_one(&bytes("a")).await;
    assert_eq!(got.work.parts, parts);
    let got = fail_parts(bed, &got, &["z"]).await;
    assert_eq!(got.work.parts, ["z"]);
}

pub(in crate::conformance) async fn a_partial_retry_yields_only_the_parts_that_failed(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    let got = fail_parts(bed, &got, &["x", "y", "z"]).await;
    assert_eq!(got.work.parts, ["x", "y", "z"]);
    let got = fail_parts(bed, &got, &["x", "z"]).await;
    assert_eq!(got.work.parts, ["x", "z"]);
    let got = fail_parts(bed, &got, &["z"]).await;
    assert_eq!(got.work.parts, ["z"]);
}

pub(in crate::conformance) async fn a_failure_of_all_parts_changes_nothing_about_them(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    let got = fail_parts(bed, &got, &["x", "z"]).await;
    let settlement = with_record(&got, retry(bed.now()), record("all of it failed"));
    assert_eq!(bed.settle_as(&got, settlement).await, Ok(()));
    assert_eq!(bed.claim_one(&bytes("a")).await.work.parts, ["x", "z"]);
}

pub(in crate::conformance) async fn parts_outlive_what_is_no_attempt(bed: &SourceBed) {
    let got = bed.put_and_claim("a").await;
    let mut got = fail_parts(bed, &got, &["x", "z"]).await;
    for way in [Way::Release, Way::Defer, Way::Condemn] {
        way.finish(bed, &got).await;
        got = way.next_delivery(bed, &got).await;
        assert_eq!(got.work.parts, ["x", "z"], "after {way:?}");
    }
    if let Some(lease) = bed.abilities.lease {
        bed.outlast(lease).await;
        assert_eq!(bed.claim_one(&bytes("a")).await.work.parts, ["x", "z"], "after its claim ran out");
    }
}
