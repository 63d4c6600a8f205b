//! What operators and their monitoring see without a list of letters: metrics, health and rejected captures.

use std::sync::Arc;

use redrive_journal::SimDisk;
use redrive_server::Settings;
use serde_json::{Value, json};

use crate::harness::{
    Caller, StoreKind, TestServer, local_settings, on_each_store_with_caller, on_store_with_caller, run,
};
use crate::letters::{fails, lasting};

#[test]
fn a_captured_letter_that_begins_a_group_is_counted() {
    on_each_store_with_caller(async |_server, mut caller| {
        lasting(&mut caller, "dead").await;
        caller.headers.insert("x-redrive-reason", http::HeaderValue::from_static("a test"));
        let count = async |caller: &mut Caller| {
            let page = caller.page("/metrics").await.text();
            let line = page.lines().find(|line| line.starts_with("redrive_dlq_new_groups_total{queue=\"dead\"}"));
            line.unwrap().rsplit(' ').next().unwrap().parse::<u64>().unwrap()
        };
        assert_eq!(count(&mut caller).await, 0, "the series begins before the first letter");
        let first = fails(&mut caller, "dead", "a", "timed out").await;
        fails(&mut caller, "dead", "b", "timed out").await;
        assert_eq!(count(&mut caller).await, 1);
        let second = fails(&mut caller, "dead", "c", "no such customer").await;
        assert_eq!(count(&mut caller).await, 2);
        // A letter that only changes begins nothing; one that comes when no other is live does.
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [first] })).await;
        caller.ok("/v1/letters.archive", json!({ "queue_name": "dead", "ids": [second] })).await;
        caller.ok("/v1/letters.restore", json!({ "queue_name": "dead", "ids": [first] })).await;
        assert_eq!(count(&mut caller).await, 2);
        fails(&mut caller, "dead", "d", "no such customer").await;
        assert_eq!(count(&mut caller).await, 3);
    });
}

#[test]
fn a_capture_into_a_full_queue_names_the_limit_and_the_queue() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        lasting(&mut caller, "dead").await;
        caller.ok("/v1/letters.configure", json!({ "queue_name": "dead", "set": { "max_size": "100" } })).await;
        let letter =
            |number: usize| json!({ "utf8": "x", "source_id": number.to_string(), "fault": { "error": "timed out" } });
        let letters: Vec<Value> = (0..101).map(letter).collect();
        let response = caller.json("/v1/letters.capture", json!({ "queue_name": "dead", "letters": letters })).await;
        let rejected = response.value();
        assert_eq!(response.status, 429);
        let message =
            "Dead letter queue is full (max_size=100); resolve letters, raise max_size, or set on_full to overflow";
        assert_eq!(rejected["message"], message);
        let details = &rejected["details"];
        assert_eq!(
            (&details["reason"], &details["max_size"], &details["queue"]),
            (&json!("queue_full"), &json!("100"), &json!("dead"))
        );
    });
}

#[test]
fn a_disk_below_the_configured_size_is_a_warning_of_health() {
    run(async {
        let disk = SimDisk::new();
        let server = TestServer::on_disk_with(
            Arc::new(disk.clone()),
            Settings { disk_low_bytes: Some(1 << 40), ..local_settings() },
        )
        .await;
        let mut caller = server.caller().await;
        let before = caller.page("/health").await.value();
        assert_eq!((&before["status"], before["checks"].get("disk:free")), (&json!("pass"), None), "an unknown size");
        disk.set_capacity(Some(disk.used() + (1 << 30)));
        for path in ["/health", "/health/ready"] {
            let response = caller.page(path).await;
            let health = response.value();
            assert_eq!((response.status.as_u16(), &health["status"]), (200, &json!("warn")));
            assert_eq!(health["checks"]["queues:storage"][0]["status"], "pass", "the store works");
            let check = &health["checks"]["disk:free"][0];
            assert_eq!((&check["status"], &check["observedUnit"]), (&json!("warn"), &json!("bytes")));
            assert!(check["observedValue"].as_u64().unwrap() <= 1 << 30, "{check}");
            assert_eq!(check["output"], "the disk is low: less than 1099511627776 bytes are free");
        }
        let page = caller.page("/metrics").await.text();
        assert!(page.contains("\nredrive_store_disk_low_bytes 1099511627776\n"), "{page}");
        assert!(page.contains("\nredrive_store_disk_free_bytes 1"), "{page}");
    });
}

#[test]
fn the_process_and_the_build_have_metrics_with_a_help_text_and_a_type() {
    on_store_with_caller(StoreKind::Memory, async |_server, mut caller| {
        let page = caller.page("/metrics").await.text();
        let value = |name: &str| -> f64 {
            let line = page.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')));
            line.unwrap_or_else(|| panic!("{name} is missing: {page}")).rsplit(' ').next().unwrap().parse().unwrap()
        };
        let kinds = [
            ("redrive_build_info", "gauge"),
            ("redrive_dlq_new_groups_total", "counter"),
            ("process_cpu_seconds_total", "counter"),
            ("process_resident_memory_bytes", "gauge"),
            ("process_virtual_memory_bytes", "gauge"),
            ("process_open_fds", "gauge"),
            ("process_max_fds", "gauge"),
            ("process_start_time_seconds", "gauge"),
        ];
        for (name, kind) in kinds {
            assert!(page.contains(&format!("# HELP {name} ")), "{name}: {page}");
            assert!(page.contains(&format!("# TYPE {name} {kind}\n")), "{name}: {page}");
        }
        assert!(page.contains(&format!("redrive_build_info{{version=\"{}\"}} 1\n", env!("CARGO_PKG_VERSION"))));
        assert!(value("process_cpu_seconds_total") > 0.0);
        let (resident, virtual_memory) =
            (value("process_resident_memory_bytes"), value("process_virtual_memory_bytes"));
        assert!(1e6 < resident && resident < virtual_memory, "{resident} {virtual_memory}");
        let (open, most) = (value("process_open_fds"), value("process_max_fds"));
        assert!(3.0 <= open && open <= most, "{open} {most}");
        // After this line was written, and not in the future: the clock of the machine is the only one that knows.
        assert!(value("process_start_time_seconds") > 1_700_000_000.0);
    });
}
