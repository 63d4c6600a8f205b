//! The order, pivot, limit and page size of lists.

use serde_json::{Value, json};

use crate::harness::{Caller, StoreKind, on_each_store_with_caller, on_each_store_with_queue, on_store_with_queue};

async fn listed(caller: &mut Caller, path: &str, list: Value) -> Vec<String> {
    let listed = caller.ok(path, list).await;
    let items = listed["items"].as_array().cloned().unwrap_or_default();
    let name = |item: &Value| item["id"].as_str().or_else(|| item["queue_name"].as_str()).unwrap().to_owned();
    items.iter().map(name).collect()
}

#[test]
fn items_are_listed_by_id_from_the_pivot_on() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let later = |count: usize| json!(vec![json!({ "enqueue_at": "2026-11-15T13:00:00Z" }); count]);
        caller.produce_many("q", 5).await;
        caller.produce_items("q", later(5)).await;
        for path in ["/v1/storage/items.list", "/v1/storage/scheduled.list"] {
            let all = listed(&mut caller, path, json!({ "queue_name": "q" })).await;
            assert_eq!(all.len(), 5, "{path}");
            assert!(all.is_sorted());
            let from = |pivot: &str, limit: i32| json!({ "queue_name": "q", "pivot": pivot, "limit": limit });
            assert_eq!(listed(&mut caller, path, from(&all[2], 0)).await, all[2..], "the pivot is included");
            assert_eq!(listed(&mut caller, path, from(&all[2], 2)).await, all[2..4]);
            assert_eq!(listed(&mut caller, path, from("", 1)).await, all[..1]);
            assert_eq!(listed(&mut caller, path, from("000000000000000000000000000", 3)).await, all[..3]);
            assert!(listed(&mut caller, path, from("aWgEPTl1tmebfsQzFP4bxwgy80V", 3)).await.is_empty());
            caller.ok("/v1/storage/items.delete", json!({ "queue_name": "q", "ids": [all[2]] })).await;
            assert_eq!(listed(&mut caller, path, from(&all[2], 0)).await, all[3..], "the pivot need not exist");
        }
    });
}

#[test]
fn a_limit_of_zero_means_a_thousand() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        for _ in 0..2 {
            caller.produce_many("q", 700).await;
        }
        let path = "/v1/storage/items.list";
        let all = listed(&mut caller, path, json!({ "queue_name": "q", "limit": 5_000 })).await;
        assert_eq!(all.len(), 1_400);
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(listed(&mut caller, path, json!({ "queue_name": "q" })).await, all[..1_000]);
        for limit in [1, 2, 255, 256, 257, 511, 512, 1_399, 1_400, 1_401] {
            let some = listed(&mut caller, path, json!({ "queue_name": "q", "limit": limit })).await;
            assert_eq!(some, all[..all.len().min(limit)], "{limit}");
        }
    });
}

#[test]
fn each_partition_is_listed_separately() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "requested_partitions": 3 })).await;
        for count in [1, 2, 3] {
            caller.produce_many("q", count).await;
        }
        let mut lengths = Vec::new();
        for partition in [0, 1, 2] {
            lengths.push(caller.items("q", partition).await.len());
        }
        assert_eq!(lengths, [1, 2, 3]);
    });
}

#[test]
fn queues_are_listed_by_name_from_the_pivot_on() {
    on_each_store_with_caller(async |_server, mut caller| {
        for queue in ["b", "ä", "a/c", "B", "a"] {
            caller.create(queue, json!({})).await;
        }
        let path = "/v1/queues.list";
        let all = listed(&mut caller, path, json!({})).await;
        assert_eq!(all, ["B", "a", "a/c", "b", "ä"], "names are compared as bytes");
        assert_eq!(listed(&mut caller, path, json!({ "pivot": "a/c" })).await, all[2..]);
        assert_eq!(listed(&mut caller, path, json!({ "pivot": "aa", "limit": 1 })).await, all[3..4]);
        assert!(listed(&mut caller, path, json!({ "pivot": "zzz" })).await.len() == 1);
        assert_eq!(listed(&mut caller, path, json!({ "limit": 65_536 })).await, all);
    });
}

#[test]
fn a_list_of_large_items_is_split_into_pages_of_16_mib() {
    on_store_with_queue(StoreKind::Memory, "q", async |_server, mut caller| {
        // Field 1, queue_name: q. Field 3, items: one item with field 15, a payload of this many megabytes.
        for megabytes in [5, 5, 5, 5, 5, 12, 12, 1] {
            let payload = megabytes * 1_000_000;
            let item = [&[0x7a][..], &varint(payload), &vec![0; payload]].concat();
            let body = [&b"\x0a\x01q\x1a"[..], &varint(item.len()), &item].concat();
            let response = caller.post("/v1/storage/items.import", "application/protobuf", body).await;
            assert_eq!(response.status.as_u16(), 200);
        }
        let (mut seen, mut pages) = (Vec::<(String, usize)>::new(), Vec::new());
        loop {
            let pivot = seen.last().map(|(id, _)| id.clone()).unwrap_or_default();
            let page = caller.ok("/v1/storage/items.list", json!({ "queue_name": "q", "pivot": pivot })).await;
            let items = page["items"].as_array().cloned().unwrap_or_default();
            let items = items
                .iter()
                .map(|item| (item["id"].as_str().unwrap().to_owned(), item["payload"].as_str().unwrap().len() / 4 * 3));
            let new: Vec<_> = items.filter(|item| seen.last() != Some(item)).collect();
            if new.is_empty() {
                break;
            }
            pages.push(new.len());
            seen.extend(new);
        }
        let sizes: Vec<usize> = seen.iter().map(|(_, bytes)| bytes / 1_000_000).collect();
        assert_eq!(sizes, [5, 5, 5, 5, 5, 12, 12, 1], "every item is listed exactly once");
        assert_eq!(pages, [4, 2, 2], "a page ends with the item that reaches 16 MiB");
    });
}

fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(u8::try_from(number & 0x7f).unwrap() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap());
    bytes
}
