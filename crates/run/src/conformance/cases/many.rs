//! Many who claim at once.

use crate::conformance::bed::SourceBed;
use crate::conformance::crowd::Crowd;
use crate::conformance::random::seeds;

pub(in crate::conformance) async fn each_piece_of_work_has_one_holder_at_a_time_and_one_end(bed: &SourceBed) {
    for seed in seeds(3) {
        Crowd::default().work(bed, &seed).await;
    }
}

pub(in crate::conformance) async fn results_that_come_in_bundles_lose_nothing(bed: &SourceBed) {
    for seed in seeds(3) {
        Crowd { claimers: 2, batch: 8, ..Crowd::default() }.work(bed, &seed).await;
    }
}
