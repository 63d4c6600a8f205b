//! What helps with an entry of "needs attention".

use redrive_client::proto::redrive::v1::Attention;

/// The next command, or the permission for it that the caller lacks; empty for an entry of a newer server.
pub(super) fn next_step(entry: &Attention) -> String {
    let queue = &entry.queue_name;
    if !entry.missing_permission.is_empty() {
        return format!("ask for the permission {}", entry.missing_permission);
    }
    match entry.kind.as_str() {
        "store_failed" => "redrive doctor check DIRECTORY".to_owned(),
        "disk_full" | "disk_low" => "free disk space: docs/full-disk.md".to_owned(),
        "damaged" => format!("redrive items list {queue}"),
        "stranded" => format!("redrive queue info {queue}"),
        "queue_full" | "nearly_full" | "too_many_letters" | "old_letters" => format!("redrive letters groups {queue}"),
        "index_down" | "index_behind" => "redrive search status".to_owned(),
        "target_without_queue" => format!("redrive queue create {}", in_namespace(queue, entry)),
        "processor_failing" | "breaker_open" | "retries_late" => format!("redrive letters process {queue}"),
        "retries_paused" => format!("redrive letters process {queue} resume"),
        "retries_stopped" => format!("redrive letters process {queue} start"),
        "run_waiting" => format!("redrive letters run {queue} {} --now", entry.run),
        "run_ended_early" => format!("redrive letters continue {queue} {} --reason TEXT", entry.run),
        "route_failing" => format!("redrive route show {}", in_namespace(&entry.route_name, entry)),
        "route_paused" => format!("redrive route start {}", in_namespace(&entry.route_name, entry)),
        "paused" => format!("redrive queue resume {queue}"),
        "no_target" => format!("redrive letters list {queue}"),
        "exhausted" => format!("redrive letters list {queue} --status exhausted"),
        _ => String::new(),
    }
}

/// The name of a route or of a queue, with the option for the namespace of the entry.
fn in_namespace(name: &str, entry: &Attention) -> String {
    let namespace = &entry.namespace;
    if namespace.is_empty() { name.to_owned() } else { format!("{name} --namespace {namespace}") }
}
