use super::{capture, captured, with_dead};
use crate::retries::{serve, target};

#[test]
fn matching_letters_are_archived_after_a_plan() {
    let server = with_dead();
    capture(&server, "a");
    capture(&server, "b");
    captured(&server, &["x", "--source-id", "c", "--error", "permission denied"]);
    let bulk = |more: &[&str]| server.run(&[&["letters", "bulk", "archive", "dead"], more].concat());
    let without_reason = bulk(&["--status", "pending", "--yes"]);
    assert!(without_reason.code != 0 && without_reason.stderr.contains("--reason"), "{}", without_reason.stderr);
    let without_scope = bulk(&["--yes", "--reason", "why"]);
    assert!(without_scope.code != 0 && without_scope.stderr.contains("filter"), "{}", without_scope.stderr);
    let ran = bulk(&["--filter", "category == 'transient'", "--yes", "--reason", "why", "--output", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("2 letters of 'dead' to archive (2 pending)"), "{}", ran.stderr);
    let data: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&data["planned"], &data["archived"], &data["skipped"]), (&2.into(), &2.into(), &0.into()));
    server.run_ok(&["dlq", "clear", "dead", "--all", "--include-archived", "-f", "--reason", "all"]);
    assert_eq!(server.objects(&["letters", "stats", "dead"])[0]["lifetime_stats"]["cleared"], 3);
}

#[test]
fn matching_letters_are_retried_and_failures_are_reported() {
    let (url, _seen) = target(&[200, 500]);
    let server = serve("letters-bulk", &format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"));
    for source_id in ["a", "b"] {
        captured(&server, &["order", "--source-id", source_id, "--retry-policy", "never"]);
    }
    let bulk = ["letters", "bulk", "retry", "dead", "-s", "pending", "--yes", "--reason", "the bank is back", "-j"];
    let ran = server.run(&bulk);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let data: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&data["planned"], &data["retried"], &data["failed"]), (&2.into(), &2.into(), &1.into()));
    let stats = server.objects(&["letters", "stats", "dead"]).remove(0);
    assert_eq!(stats["by_trigger"]["manual"], serde_json::json!({ "success": 1, "failed": 1 }));
    assert_eq!((&stats["is_processor_running"], &stats["retry_success_percent"]), (&true.into(), &50.0.into()));
}
