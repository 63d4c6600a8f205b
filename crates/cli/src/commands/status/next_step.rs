//! The command that helps with an entry of "needs attention".

use redrive_client::proto::redrive::v1::Attention;

/// The next command; empty for an entry of a newer server.
pub(super) fn next_step(entry: &Attention) -> String {
    let queue = &entry.queue_name;
    match entry.kind.as_str() {
        "store_failed" => "redrive doctor check DIRECTORY".to_owned(),
        "disk_full" | "disk_low" => "free disk space: docs/full-disk.md".to_owned(),
        "damaged" => format!("redrive items list {queue}"),
        "stranded" => format!("redrive queue info {queue}"),
        "queue_full" | "nearly_full" | "too_many_letters" | "old_letters" => format!("redrive letters groups {queue}"),
        "index_down" | "index_behind" => "redrive search status".to_owned(),
        "target_without_queue" => format!("redrive queue create {queue}"),
        "processor_failing" | "breaker_open" | "retries_late" => format!("redrive letters process {queue}"),
        "route_failing" if entry.namespace.is_empty() => format!("redrive route show {}", entry.route_name),
        "route_failing" => format!("redrive route show {} --namespace {}", entry.route_name, entry.namespace),
        "paused" => format!("redrive queue resume {queue}"),
        "no_target" => format!("redrive letters list {queue}"),
        "exhausted" => format!("redrive letters list {queue} --status exhausted"),
        _ => String::new(),
    }
}
