//! The placement of items and leases on partitions, by the examples of the API reference.

use serde_json::json;

use crate::harness::{StoreKind, leased, on_each_store_with_caller, on_each_store_with_queue, on_store_with_caller};

/// Unfreezes the queue; returns the partition and the number of items of each lease.
async fn unfreeze_and_collect(
    server: &crate::harness::TestServer,
    leases: Vec<tokio::task::JoinHandle<crate::harness::Response>>,
) -> Vec<(i32, usize)> {
    server.unfreeze("q").await;
    let mut got = Vec::new();
    for lease in leases {
        let items = leased(&lease.await.unwrap().value());
        got.push((items[0].partition, items.len()));
    }
    got
}

#[test]
fn five_produces_over_two_partitions_then_leases_of_5_10_20() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        for _ in 0..5 {
            caller.produce_many("q", 10).await;
        }
        assert_eq!(caller.counts("q").await, [(30, 0, 0), (20, 0, 0)]);
        server.freeze("q").await;
        let leases = vec![
            server.spawn_lease("q", "a", 5).await,
            server.spawn_lease("q", "b", 10).await,
            server.spawn_lease("q", "c", 20).await,
        ];
        unfreeze_and_collect(&server, leases).await;
        assert_eq!(caller.counts("q").await, [(30, 15, 0), (20, 20, 0)]);
    });
}

#[test]
fn five_produces_of_one_pass_are_placed_in_the_same_way() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        server.freeze("q").await;
        let mut produces = Vec::new();
        for count in 1..=5 {
            let produce = json!({ "queue_name": "q", "request_timeout": "1m", "items": vec![json!({}); 10] });
            produces.push(server.spawn_call("/v1/queue.produce", produce).await);
            while caller.stats("q").await["produce_waiting"] != count {
                tokio::task::yield_now().await;
            }
        }
        server.unfreeze("q").await;
        for produce in produces {
            assert_eq!(produce.await.unwrap().status, 200);
        }
        assert_eq!(caller.counts("q").await, [(30, 0, 0), (20, 0, 0)]);
    });
}

#[test]
fn ten_and_eleven_then_two_leases_of_ten() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        caller.produce_many("q", 10).await;
        caller.produce_many("q", 11).await;
        assert_eq!(caller.counts("q").await, [(10, 0, 0), (11, 0, 0)]);
        assert_eq!(caller.lease("q", 10).await[0].partition, 1);
        assert_eq!(caller.lease("q", 10).await[0].partition, 0);
        assert_eq!(caller.counts("q").await, [(10, 10, 0), (11, 10, 0)]);
    });
}

#[test]
fn ten_partitions_are_emptied_five_by_five() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 10 })).await;
        for _ in 0..10 {
            caller.produce_many("q", 5).await;
        }
        for _ in 0..10 {
            assert_eq!(caller.lease("q", 5).await.len(), 5);
        }
        assert_eq!(caller.counts("q").await, [(5, 5, 0); 10]);
    });
}

#[test]
fn leases_of_20_6_1_share_23_items() {
    on_each_store_with_queue("q", async |server, mut caller| {
        caller.produce_many("q", 23).await;
        server.freeze("q").await;
        let leases = vec![
            server.spawn_lease("q", "a", 20).await,
            server.spawn_lease("q", "b", 6).await,
            server.spawn_lease("q", "c", 1).await,
        ];
        assert_eq!(unfreeze_and_collect(&server, leases).await, [(0, 16), (0, 6), (0, 1)]);
    });
}

#[test]
fn leases_waiting_on_empty_partitions_share_the_items_of_another_partition() {
    on_each_store_with_caller(async |server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 5 })).await;
        let mut leases = Vec::new();
        for client in ["a", "b", "c", "d", "e"] {
            leases.push(server.spawn_lease("q", client, 10).await);
        }
        caller.produce_many("q", 10).await;
        let mut got = Vec::new();
        for lease in leases {
            got.push(leased(&lease.await.unwrap().value()).len());
        }
        assert_eq!(got, [2; 5]);
    });
}

#[test]
fn scheduled_items_do_not_count_for_placement() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 2 })).await;
        let later = json!(vec![json!({ "enqueue_at": "2026-11-15T13:00:00Z" }); 5]);
        caller.produce_items("q", later).await;
        assert_eq!(caller.counts("q").await, [(0, 0, 5), (0, 0, 0)]);
        caller.produce_many("q", 1).await;
        caller.produce_many("q", 1).await;
        assert_eq!(caller.counts("q").await, [(1, 0, 5), (1, 0, 0)]);
    });
}
