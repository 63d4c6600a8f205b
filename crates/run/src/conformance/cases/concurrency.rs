//! Concurrent claims.

use redrive_testkit::seeds;

use crate::conformance::fixture::SourceFixture;
use crate::conformance::workload::ConcurrentWorkload;

pub(in crate::conformance) async fn each_piece_of_work_has_one_holder_at_a_time_and_one_end(fixture: &SourceFixture) {
    for seed in seeds(1) {
        ConcurrentWorkload::default().run(fixture, &seed).await;
    }
}

pub(in crate::conformance) async fn batches_of_results_lose_nothing(fixture: &SourceFixture) {
    for seed in seeds(1) {
        ConcurrentWorkload { claimers: 2, batch: 8, ..ConcurrentWorkload::default() }.run(fixture, &seed).await;
    }
}
