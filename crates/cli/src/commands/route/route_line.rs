//! A route as a row of a table, or as fields.

use redrive_client::proto::redrive::v1::{BlockingRecordInfo, RouteInfo};
use serde_json::Value;

use crate::commands::destination_line::breaker;
use crate::console::{Align, Fields, excerpt, or_dash, printable, shown_time};

/// The maximum width of an error in a table.
const ERROR_CHARS: usize = 60;

pub(super) const HEADER: &[(&str, Align)] = &[
    ("NAMESPACE", Align::Text),
    ("NAME", Align::Text),
    ("STATE", Align::Text),
    ("HEALTHY", Align::Text),
    ("RUNNING", Align::Number),
    ("WAITING", Align::Number),
    ("LAG", Align::Number),
    ("DONE/MIN", Align::Number),
    ("LETTERS/MIN", Align::Number),
    ("TROUBLE", Align::Text),
];

pub(super) fn row(route: &RouteInfo) -> Vec<String> {
    vec![
        route.namespace.clone(),
        route.name.clone(),
        route.state.clone(),
        if route.is_healthy { "yes" } else { "no" }.to_owned(),
        route.running.to_string(),
        route.waiting.to_string(),
        route.lag.map_or_else(|| "-".to_owned(), |lag| lag.to_string()),
        format!("{:.0}", route.done_per_minute),
        format!("{:.0}", route.letters_per_minute),
        or_dash(&excerpt(&trouble(route), ERROR_CHARS)).to_owned(),
    ]
}

/// The first thing that is wrong.
fn trouble(route: &RouteInfo) -> String {
    let of_target = || {
        let failing = route.destinations.iter().find(|destination| destination.breaker != "closed");
        failing.map(|destination| format!("target: {}", destination.last_error)).unwrap_or_default()
    };
    match route.troubles.first() {
        _ if !route.error.is_empty() => route.error.clone(),
        Some(trouble) => format!("{}: {}", trouble.kind, trouble.error),
        None => of_target(),
    }
}

pub(super) fn fields(route: &RouteInfo) -> Fields {
    let mut fields = Fields::new()
        .with("name", &route.name)
        .with("namespace", or_dash(&route.namespace))
        .with("defined in", &route.defined_in)
        .with("state", &format!("{} since {}", route.state, shown_time(route.since)))
        .with("intent", &route.intent)
        .with("healthy", if route.is_healthy { "yes" } else { "no" });
    if !route.error.is_empty() {
        let next = shown_time(route.next_start_at);
        fields = fields.with("error", &printable(&route.error)).with("next start", &next);
    }
    for trouble in &route.troubles {
        let text = format!("{} since {}: {}", trouble.kind, shown_time(trouble.since), printable(&trouble.error));
        fields = fields.with("trouble", &text);
    }
    for destination in &route.destinations {
        fields = fields.with("target", &breaker(destination));
    }
    fields = fields
        .with("running", &route.running.to_string())
        .with("waiting", &route.waiting.to_string())
        .with("letters pending", &route.letters_pending.to_string())
        .with("lag", &route.lag.map_or_else(|| "-".to_owned(), |lag| lag.to_string()));
    if let Some(record) = &route.blocking {
        fields = fields.with("blocking", &blocking(record));
    }
    let rates = [
        ("done", route.done_total, route.done_per_minute),
        ("retried", route.retried_total, route.retried_per_minute),
        ("letters", route.letters_total, route.letters_per_minute),
    ];
    for (name, total, per_minute) in rates {
        fields = fields.with(name, &format!("{total} ({per_minute:.0} a minute)"));
    }
    let definition = route.definition.clone().map(Value::from).unwrap_or_default();
    fields.with("definition", &definition.to_string())
}

fn blocking(record: &BlockingRecordInfo) -> String {
    let BlockingRecordInfo { topic, partition, offset, state, attempt, age_ms, error } = record;
    let error = if error.is_empty() { String::new() } else { format!(": {}", printable(error)) };
    format!("{topic}/{partition}/{offset}, {state}, attempt {attempt}, for {} s{error}", age_ms / 1_000)
}
