use super::{capture, with_target};

#[test]
fn stats_have_the_names_of_the_api() {
    let server = with_target("letters-stats-have-the-names-of-the-api");
    let first = capture(&server, "a");
    capture(&server, "b");
    server.run_ok(&["letters", "archive", "dead", &first]);
    let stats = server.objects(&["dlq", "status", "dead"]).remove(0);
    assert_eq!(
        (stats["queue_size"].as_u64(), stats["max_size"].as_u64()),
        (Some(1), Some(10_000)),
        "the default of the server"
    );
    assert_eq!(stats["status_breakdown"]["archived"], 1);
    assert_eq!(stats["lifetime_stats"]["rejected"]["queue_full"], 0, "zeros are printed, too");
    let table = server.run_ok(&["letters", "stats", "dead"]);
    let lines: Vec<String> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "live 1: 1 pending",
        "ended 0 completed, 1 archived",
        "size 1 of 10000 (0.01 %)",
        "categories 1 transient",
        "processor stopped",
        "due next 2026-11-15T12:01:00Z, 0 overdue, 0 blocked, oldest pending 0s",
        "EVENT TOTAL SINCE START",
        "captured 2 2",
        "archived 1 1",
        "removed by an operator 0 0",
    ] {
        assert!(lines.iter().any(|shown| shown == line), "{line:?} is not in\n{table}");
    }
}
