use super::{capture, with_dead};

#[test]
fn the_numbers_of_letters_are_told_in_the_form_of_the_api() {
    let bed = with_dead();
    let first = capture(&bed, "a");
    capture(&bed, "b");
    bed.done(&["letters", "archive", "dead", &first]);
    let stats = bed.objects(&["dlq", "status", "dead"]).remove(0);
    assert_eq!(
        (stats["queue_size"].as_u64(), stats["max_size"].as_u64()),
        (Some(1), Some(10_000)),
        "the server's own size"
    );
    assert_eq!(stats["status_breakdown"]["archived"], 1);
    assert_eq!(stats["lifetime_stats"]["rejected"]["queue_full"], 0, "zeros are there");
    let table = bed.done(&["letters", "stats", "dead"]);
    let is_line = |name: &str, value: &str| {
        table.lines().any(|line| line.split_whitespace().collect::<Vec<_>>() == [name, value])
    };
    assert!(is_line("lifetime_stats.enqueued_total", "2") && is_line("unaccounted", "0"), "{table}");
}
