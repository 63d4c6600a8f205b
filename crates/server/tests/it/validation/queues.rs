//! `queues.*`: the order of error messages. Every request also has the faults that are checked later.

use serde_json::{Value, json};

use super::{Case, assert_rejected, with_fields};
use crate::harness::{StoreKind, on_each_store_with_caller, on_each_store_with_queue, on_store_with_caller};

fn long(count: usize) -> String {
    "x".repeat(count)
}

/// A request in which every field but the name is wrong.
fn all_wrong() -> Value {
    json!({
        "lease_timeout": long(16), "expire_timeout": long(16), "namespace": "a~b", "dead_queue": "a b",
        "reference": long(2_001), "max_attempts": 65_537, "requested_partitions": -1,
    })
}

/// N1 to N4: faults of the name, which are reported before all others.
fn names() -> Vec<Case> {
    let name = |name: &str| with_fields(&all_wrong(), json!({ "queue_name": name }));
    vec![
        ("N1 too long", name(&long(513)), "queue name is invalid; cannot be greater than '512' characters"),
        (
            "N1 bytes, not characters",
            name(&"ä".repeat(257)),
            "queue name is invalid; cannot be greater than '512' characters",
        ),
        ("N1 before blank", name(&" ".repeat(513)), "queue name is invalid; cannot be greater than '512' characters"),
        ("N2 not given", all_wrong(), "queue name is invalid; queue name cannot be empty"),
        ("N2 blank", name(" \t"), "queue name is invalid; queue name cannot be empty"),
        ("N3 before tilde", name("a ~"), "queue name is invalid; 'a ~' cannot contain whitespace"),
        ("N3 tab", name("a\tb"), "queue name is invalid; 'a\tb' cannot contain whitespace"),
        ("N3 line", name("a\n"), "queue name is invalid; 'a\n' cannot contain whitespace"),
        ("N4", name("a~"), "queue name is invalid; 'a~' cannot contain '~' character"),
    ]
}

/// Faults of the timeouts and the namespace, which create and update check in the same way, whatever the name.
fn timeouts_and_namespace(name: &str) -> Vec<Case> {
    let wrong = |other: Value| with_fields(&with_fields(&all_wrong(), json!({ "queue_name": name })), other);
    let expire = "expire timeout is invalid; time: invalid duration \"foo\" - expected format: 60m, 2h or 24h";
    let lease = "lease timeout is invalid; time: invalid duration \"foo\" - expected format: 8m, 15m or 1h";
    vec![
        (
            "lease timeout too long a text",
            wrong(json!({})),
            "lease timeout is invalid; cannot be greater than '15' characters",
        ),
        (
            "expire timeout too long a text",
            wrong(json!({ "lease_timeout": "foo" })),
            "expire timeout is invalid; cannot be greater than '15' characters",
        ),
        (
            "expire timeout is no duration, reported first",
            wrong(json!({ "lease_timeout": "foo", "expire_timeout": "foo" })),
            expire,
        ),
        ("lease timeout is no duration", wrong(json!({ "lease_timeout": "foo", "expire_timeout": "1h" })), lease),
        (
            "namespace",
            wrong(json!({ "lease_timeout": "2h", "expire_timeout": "1h" })),
            "namespace name is invalid; 'a~b' cannot contain '~' character",
        ),
        (
            "namespace with a colon",
            wrong(json!({ "lease_timeout": "2h", "expire_timeout": "1h", "namespace": "a:b" })),
            "namespace name is invalid; 'a:b' cannot contain ':' character",
        ),
        (
            "namespace with a blank",
            wrong(json!({ "lease_timeout": "2h", "expire_timeout": "1h", "namespace": "a b" })),
            "namespace name is invalid; 'a b' cannot contain whitespace",
        ),
        (
            "namespace too long",
            wrong(json!({ "lease_timeout": "2h", "expire_timeout": "1h", "namespace": long(257) })),
            "namespace name is invalid; cannot be greater than '256' characters",
        ),
    ]
}

#[test]
fn faults_of_create_are_reported_in_order() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        assert_rejected(&mut caller, "/v1/queues.create", &names()).await;
        assert_rejected(&mut caller, "/v1/queues.create", &timeouts_and_namespace("q")).await;
        let in_time = json!({ "queue_name": "new", "lease_timeout": "2h", "expire_timeout": "1h", "namespace": "" });
        let wrong = |other: Value| with_fields(&with_fields(&all_wrong(), in_time.clone()), other);
        let message = "namespace does not exist; 'nowhere' was not found".to_owned();
        let nowhere = wrong(json!({ "queue_name": "q", "namespace": "nowhere" }));
        assert_eq!(caller.rejection("/v1/queues.create", nowhere).await, (453, message), "before a name that exists");
        let sound = |other: Value| wrong(with_fields(&json!({ "dead_queue": "" }), other));
        let cases = [
            ("exists, before D", wrong(json!({ "queue_name": "q" })), "invalid queue; 'q' already exists"),
            ("D, before S", wrong(json!({})), "dead queue is invalid; 'a b' cannot contain whitespace"),
            (
                "S reference",
                sound(json!({ "lease_timeout": "", "expire_timeout": "" })),
                "reference field is invalid; cannot be greater than '2000' characters",
            ),
            (
                "S too many attempts",
                sound(json!({ "reference": "" })),
                "max attempts is invalid; cannot be greater than 65536",
            ),
            (
                "S negative attempts",
                sound(json!({ "reference": "", "max_attempts": -1 })),
                "max attempts is invalid; cannot be negative number",
            ),
            (
                "S reference before negative attempts",
                sound(json!({ "max_attempts": -1 })),
                "reference field is invalid; cannot be greater than '2000' characters",
            ),
            (
                "S negative partitions",
                sound(json!({ "reference": "", "max_attempts": 0 })),
                "partitions is invalid; cannot be less than 1",
            ),
            (
                "S no partitions, before empty timeouts",
                sound(json!({ "reference": "", "max_attempts": 0, "requested_partitions": 0, "lease_timeout": "" })),
                "partitions is invalid; cannot be less than 1",
            ),
        ];
        assert_rejected(&mut caller, "/v1/queues.create", &cases).await;
        let bare = json!({ "queue_name": "new", "requested_partitions": 1 });
        let cases = [
            ("lease timeout empty, reported first", bare.clone(), "lease timeout is invalid; cannot be empty"),
            (
                "lease timeout zero",
                with_fields(&bare, json!({ "lease_timeout": "0s" })),
                "lease timeout is invalid; cannot be empty",
            ),
            (
                "expire timeout empty",
                with_fields(&bare, json!({ "lease_timeout": "1h" })),
                "expire timeout is invalid; cannot be empty",
            ),
            (
                "L",
                with_fields(&bare, json!({ "lease_timeout": "1h", "expire_timeout": "30m" })),
                "lease timeout is too long; 1h0m0s cannot be greater than the expire timeout 30m0s",
            ),
        ];
        assert_rejected(&mut caller, "/v1/queues.create", &cases).await;
        let list = caller.ok("/v1/queues.list", json!({})).await;
        assert_eq!(list["items"].as_array().unwrap().len(), 1, "no queue was created");
    });
}

#[test]
fn faults_of_update_are_reported_in_order() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        assert_rejected(&mut caller, "/v1/queues.update", &names()).await;
        assert_rejected(&mut caller, "/v1/queues.update", &timeouts_and_namespace("none")).await;
        let in_time =
            json!({ "queue_name": "q", "lease_timeout": "2h", "expire_timeout": "1h", "namespace": "nowhere" });
        let wrong = |other: Value| with_fields(&with_fields(&all_wrong(), in_time.clone()), other);
        let sound = |other: Value| wrong(with_fields(&json!({ "dead_queue": "", "reference": "" }), other));
        let cases = [
            (
                "Q3, before D",
                wrong(json!({ "queue_name": "none" })),
                "queue does not exist; no such queue named 'none'",
            ),
            ("D, before S", wrong(json!({})), "dead queue is invalid; 'a b' cannot contain whitespace"),
            (
                "S reference",
                wrong(json!({ "dead_queue": "" })),
                "reference field is invalid; cannot be greater than '2000' characters",
            ),
            ("S too many attempts", sound(json!({})), "max attempts is invalid; cannot be greater than 65536"),
            (
                "S negative attempts",
                sound(json!({ "max_attempts": -1 })),
                "max attempts is invalid; cannot be negative number",
            ),
            ("S partitions", sound(json!({ "max_attempts": 0 })), "partitions is invalid; cannot be less than 1"),
            (
                "L",
                sound(json!({ "max_attempts": 0, "requested_partitions": 0 })),
                "lease timeout is too long; 2h0m0s cannot be greater than the expire timeout 1h0m0s",
            ),
            (
                "L on merged settings",
                json!({ "queue_name": "q", "lease_timeout": "25h" }),
                "lease timeout is too long; 25h0m0s cannot be greater than the expire timeout 24h0m0s",
            ),
            (
                "another namespace, after all",
                json!({ "queue_name": "q", "namespace": "shop" }),
                "namespace is invalid; queue 'q' is in namespace '_system', and cannot be moved",
            ),
        ];
        let before = caller.info("q").await;
        assert_rejected(&mut caller, "/v1/queues.update", &cases).await;
        assert_eq!(caller.info("q").await, before, "the queue has not changed");
    });
}

#[test]
fn faults_of_delete_are_reported_in_order() {
    on_each_store_with_caller(async |_server, mut caller| {
        let names: Vec<Case> = names()
            .into_iter()
            .map(|(what, body, message)| {
                (what, json!({ "queue_name": body.get("queue_name").cloned().unwrap_or_default() }), message)
            })
            .collect();
        assert_rejected(&mut caller, "/v1/queues.delete", &names).await;
        let missing = json!({ "queue_name": "none", "force": true });
        let message = "queue does not exist; no such queue named 'none'";
        assert_rejected(&mut caller, "/v1/queues.delete", &[("Q3, forced or not", missing, message)]).await;
    });
}

#[test]
fn faults_of_list_are_reported_in_order() {
    on_each_store_with_caller(async |_server, mut caller| {
        let negative = "limit is invalid; limit cannot be negative";
        let cases = [
            ("negative limit", json!({ "limit": -1, "pivot": "a~b" }), negative),
            ("smallest limit", json!({ "limit": i32::MIN }), negative),
            (
                "too large a limit",
                json!({ "limit": 65_537, "pivot": "a~b" }),
                "limit is invalid; cannot be greater than 65536",
            ),
            (
                "pivot",
                json!({ "limit": 65_536, "pivot": "a~b" }),
                "pivot is invalid; 'a~b' cannot contain '~' character",
            ),
        ];
        assert_rejected(&mut caller, "/v1/queues.list", &cases).await;
    });
}

#[test]
fn a_list_starts_at_any_pivot_and_is_empty_for_an_unknown_namespace() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        for queue in ["a", "b"] {
            caller.create(queue, json!({})).await;
        }
        for (list, expected) in [
            (json!({ "pivot": "a b" }), vec!["b"]),
            (json!({ "pivot": " " }), vec!["a", "b"]),
            (json!({ "pivot": long(600) }), vec![]),
            (json!({ "pivot": "0".repeat(600) }), vec!["a", "b"]),
            (json!({ "namespace": "no such" }), vec![]),
            (json!({ "namespace": "a~b" }), vec![]),
            (json!({ "namespace": "nowhere" }), vec![]),
            (json!({ "namespace": "_system" }), vec!["a", "b"]),
        ] {
            let listed = caller.ok("/v1/queues.list", list.clone()).await;
            let names = listed["items"].as_array().cloned().unwrap_or_default();
            let names: Vec<&str> = names.iter().map(|queue| queue["queue_name"].as_str().unwrap()).collect();
            assert_eq!(names, expected, "{list}");
        }
    });
}

#[test]
fn the_maximum_lengths_are_accepted() {
    on_each_store_with_caller(async |_server, mut caller| {
        let (name, dead) = (long(512), "d".repeat(500));
        caller.create(&dead, json!({})).await;
        let settings = json!({
            "dead_queue": dead, "reference": long(2_000), "max_attempts": 65_536,
            "lease_timeout": "0h0h0h0h0h0h60s", "expire_timeout": "1m", "namespace": "_system",
        });
        caller.create(&name, settings).await;
        let info = caller.info(&name).await;
        let shown = ["lease_timeout", "expire_timeout", "max_attempts", "namespace"].map(|field| info[field].clone());
        assert_eq!(shown, [json!("1m0s"), json!("1m0s"), json!(65_536), json!("_system")]);
    });
}

#[test]
fn negative_durations_are_rejected() {
    on_each_store_with_queue("q", async |_server, mut caller| {
        let forms = [("lease_timeout", "lease", "8m, 15m or 1h"), ("expire_timeout", "expire", "60m, 2h or 24h")];
        for (field, what, form) in forms {
            let body = json!({ "queue_name": "q", field: "-1m" });
            let message =
                format!("{what} timeout is invalid; time: negative duration \"-1m\" - expected format: {form}");
            for path in ["/v1/queues.create", "/v1/queues.update"] {
                assert_eq!(caller.json(path, body.clone()).await.rejection(), (400, message.clone()), "{path}");
            }
        }
    });
}
