//! Which partition gets what: the examples of the reference.

use serde_json::json;

use crate::bed::{Ground, each, leased, on};

async fn assigned(bed: &crate::bed::Bed, leases: Vec<tokio::task::JoinHandle<crate::bed::Heard>>) -> Vec<(i32, usize)> {
    bed.go_on("q").await;
    let mut got = Vec::new();
    for lease in leases {
        let items = leased(&lease.await.unwrap().value());
        got.push((items[0].partition, items.len()));
    }
    got
}

#[tokio::test]
async fn five_produces_over_two_partitions_then_leases_of_5_10_20() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        for _ in 0..5 {
            caller.produce_many("q", 10).await;
        }
        assert_eq!(caller.counts("q").await, [(30, 0, 0), (20, 0, 0)]);
        bed.stand_still("q").await;
        let leases =
            vec![bed.leasing("q", "a", 5).await, bed.leasing("q", "b", 10).await, bed.leasing("q", "c", 20).await];
        assigned(&bed, leases).await;
        assert_eq!(caller.counts("q").await, [(30, 15, 0), (20, 20, 0)]);
    })
    .await;
}

#[tokio::test]
async fn five_produces_of_one_pass_are_spread_the_same_way() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        bed.stand_still("q").await;
        let mut produces = Vec::new();
        for count in 1..=5 {
            let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": vec![json!({}); 10] });
            produces.push(bed.calling("/v1/queue.produce", produce).await);
            while caller.stats("q").await["produce_waiting"] != count {
                tokio::task::yield_now().await;
            }
        }
        bed.go_on("q").await;
        for produce in produces {
            assert_eq!(produce.await.unwrap().status, 200);
        }
        assert_eq!(caller.counts("q").await, [(30, 0, 0), (20, 0, 0)]);
    })
    .await;
}

#[tokio::test]
async fn ten_and_eleven_then_two_leases_of_ten() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        caller.produce_many("q", 10).await;
        caller.produce_many("q", 11).await;
        assert_eq!(caller.counts("q").await, [(10, 0, 0), (11, 0, 0)]);
        assert_eq!(caller.lease("q", 10).await[0].partition, 1);
        assert_eq!(caller.lease("q", 10).await[0].partition, 0);
        assert_eq!(caller.counts("q").await, [(10, 10, 0), (11, 10, 0)]);
    })
    .await;
}

#[tokio::test]
async fn ten_partitions_are_emptied_five_by_five() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 10 })).await;
        for _ in 0..10 {
            caller.produce_many("q", 5).await;
        }
        for _ in 0..10 {
            assert_eq!(caller.lease("q", 5).await.len(), 5);
        }
        assert_eq!(caller.counts("q").await, [(5, 5, 0); 10]);
    })
    .await;
}

#[tokio::test]
async fn leases_of_20_6_1_share_23_items() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({})).await;
        caller.produce_many("q", 23).await;
        bed.stand_still("q").await;
        let leases =
            vec![bed.leasing("q", "a", 20).await, bed.leasing("q", "b", 6).await, bed.leasing("q", "c", 1).await];
        assert_eq!(assigned(&bed, leases).await, [(0, 16), (0, 6), (0, 1)]);
    })
    .await;
}

#[tokio::test]
async fn five_who_wait_at_five_partitions_meet_where_the_items_are() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 5 })).await;
        let mut leases = Vec::new();
        for client in ["a", "b", "c", "d", "e"] {
            leases.push(bed.leasing("q", client, 10).await);
        }
        caller.produce_many("q", 10).await;
        let mut got = Vec::new();
        for lease in leases {
            got.push(leased(&lease.await.unwrap().value()).len());
        }
        assert_eq!(got, [2; 5]);
    })
    .await;
}

#[tokio::test]
async fn scheduled_items_do_not_count_for_placement() {
    on(Ground::Memory, async |bed| {
        let mut caller = bed.caller().await;
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        let later = json!(vec![json!({ "enqueue_at": "2026-11-15T13:00:00Z" }); 5]);
        caller.produce_items("q", later).await;
        assert_eq!(caller.counts("q").await, [(0, 0, 5), (0, 0, 0)]);
        caller.produce_many("q", 1).await;
        caller.produce_many("q", 1).await;
        assert_eq!(caller.counts("q").await, [(1, 0, 5), (1, 0, 0)]);
    })
    .await;
}
