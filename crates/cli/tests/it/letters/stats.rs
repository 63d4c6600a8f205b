use super::{capture, with_dead};

#[test]
fn stats_have_the_names_of_the_api() {
    let server = with_dead();
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
    let is_line = |name: &str, value: &str| {
        table.lines().any(|line| line.split_whitespace().collect::<Vec<_>>() == [name, value])
    };
    assert!(is_line("lifetime_stats.enqueued_total", "2") && is_line("unaccounted", "0"), "{table}");
}
