//! All lists: the pivot is inclusive, a limit of 0 means 1 000, and a limit below 0 or above 65 536 is rejected.

use serde_json::{Value, json};

use super::{bind, key_of, namespace, role, user};
use crate::harness::{Caller, StoreKind, on_each_store_with_caller, on_each_store_with_queue, on_store_with_caller};

const PATHS: [&str; 5] =
    ["/v1/namespaces.list", "/v1/users.list", "/v1/apikeys.list", "/v1/roles.list", "/v1/rolebindings.list"];

/// The field by which a list is sorted.
fn field(path: &str) -> &'static str {
    if path.contains("namespaces") { "name" } else { "id" }
}

async fn list(caller: &mut Caller, path: &str, pivot: &str, limit: i32) -> Vec<String> {
    let mut body = json!({ "pivot": pivot, "limit": limit });
    if path.contains("role") {
        body["namespace"] = json!("n0");
    }
    let items = caller.ok(path, body).await["items"].take();
    let Value::Array(items) = items else { return Vec::new() };
    items.iter().map(|item| item[field(path)].as_str().unwrap().to_owned()).collect()
}

async fn fill(caller: &mut Caller) {
    for number in 0..5 {
        namespace(caller, &format!("n{number}")).await;
        let id = user(caller, &format!("u{number}")).await;
        key_of(caller, &id).await;
        role(caller, "n0", &format!("r{number}"), &[]).await;
        bind(caller, "n0", &format!("r{number}"), &id).await;
    }
}

#[test]
fn a_list_starts_at_its_pivot_or_the_next_entry_and_ends_at_its_limit() {
    on_each_store_with_caller(async |_server, mut caller| {
        fill(&mut caller).await;
        for path in PATHS {
            let all = list(&mut caller, path, "", 0).await;
            assert!(all.len() >= 5 && all.is_sorted(), "{path} {all:?}");
            assert_eq!(list(&mut caller, path, &all[2], 2).await, all[2..4], "{path}");
            let between = format!("{}\u{1}", all[2]);
            assert_eq!(list(&mut caller, path, &between, 65_536).await, all[3..], "{path}");
            assert!(list(&mut caller, path, "zzz", 0).await.is_empty(), "{path}");
        }
    });
}

#[test]
fn a_limit_out_of_range_is_rejected() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let of_queues = ["storage/items.list", "storage/scheduled.list", "letters.list", "letters.groups"];
        let of_queues = of_queues.map(|call| format!("/v1/{call}"));
        let paths = PATHS.into_iter().chain(["/v1/queues.list"]).map(|path| (path, json!({})));
        let of_queues = of_queues.iter().map(|path| (path.as_str(), json!({ "queue_name": "q" })));
        for (path, mut body) in paths.chain(of_queues) {
            for (limit, message) in [
                (-1, "limit is invalid; limit cannot be negative"),
                (i32::MIN, "limit is invalid; limit cannot be negative"),
                (65_537, "limit is invalid; cannot be greater than 65536"),
            ] {
                body["limit"] = json!(limit);
                let response = caller.json(path, body.clone()).await;
                assert_eq!((response.status.as_u16(), &response.value()["message"]), (400, &json!(message)), "{path}");
            }
            body["limit"] = json!(65_536);
            caller.ok(path, body).await;
        }
    });
}

#[test]
fn a_page_is_limited_in_bytes_and_the_next_page_continues() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        let description = "x".repeat(250_000);
        for number in 0..80 {
            let body = json!({ "name": format!("n{number:02}"), "description": description });
            caller.ok("/v1/namespaces.create", body).await;
        }
        let first = list(&mut caller, "/v1/namespaces.list", "", 0).await;
        assert!((60..80).contains(&first.len()), "{}", first.len());
        let rest = list(&mut caller, "/v1/namespaces.list", first.last().unwrap(), 0).await;
        assert_eq!(first.len() + rest.len() - 1, 81, "80 and `_system`; the pivot is in both pages");
        assert_eq!(rest.last().unwrap(), "n79");
    });
}

#[test]
fn a_list_without_a_limit_has_a_thousand_entries() {
    on_each_store_with_caller(async |_server, mut caller| {
        for number in 0..1_001 {
            user(&mut caller, &format!("u{number}")).await;
        }
        assert_eq!(list(&mut caller, "/v1/users.list", "", 0).await.len(), 1_000);
        assert_eq!(list(&mut caller, "/v1/users.list", "", 2_000).await.len(), 1_001);
    });
}
