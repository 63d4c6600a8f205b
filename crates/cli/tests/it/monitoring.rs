//! The alert rules and the dashboard of the documentation use metrics that a server has.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::retries::{target, until};
use crate::test_server::{TestServer, command, folder_with};

/// The folder with the files for Prometheus and Grafana.
pub(crate) fn files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/monitor")
}

/// The queries of the dashboard, with its variable replaced.
pub(crate) fn dashboard_queries() -> Vec<String> {
    let dashboard: Value =
        serde_json::from_str(&std::fs::read_to_string(files().join("dashboard.json")).unwrap()).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap());
    targets.map(|target| target["expr"].as_str().unwrap().replace("$instance", ".*")).collect()
}

/// The expressions of the alert rules, each on one line.
fn alert_queries() -> Vec<String> {
    let rules = std::fs::read_to_string(files().join("alerts.yml")).unwrap();
    rules.lines().filter_map(|line| line.trim().strip_prefix("expr: ")).map(str::to_owned).collect()
}

/// The metrics of a query: the names that are neither functions nor inside of matchers, ranges, groupings and texts.
fn metrics(query: &str) -> BTreeSet<String> {
    let mut plain = String::new();
    let (mut depth, mut is_text) = (0, false);
    for c in query.replace(" by (", " by {").chars() {
        match c {
            '"' => is_text = !is_text,
            '{' | '[' if !is_text => depth += 1,
            // The end of a grouping is a parenthesis that was opened as a brace.
            '}' | ']' if !is_text => depth -= 1,
            ')' if !is_text && depth > 0 => depth -= 1,
            _ if depth == 0 && !is_text => plain.push(c),
            _ => {}
        }
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    let mut rest = plain.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        let word = rest[start..].split(|c| !is_part(c)).next().unwrap();
        let after = rest[start + word.len()..].trim_start();
        if !after.starts_with('(') && !["by", "and", "or", "sum", "on"].contains(&word) {
            names.insert(word.to_owned());
        }
        rest = &rest[start + word.len()..];
    }
    names
}

pub(crate) fn page(server: &TestServer, path: &str) -> String {
    let mut connection = TcpStream::connect(&server.address).unwrap();
    write!(connection, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

/// A server with a route and a target of letters, which have been called.
pub(crate) fn server_with_every_metric(name: &str) -> TestServer {
    let (url, seen) = target(&[200]);
    let targets = format!(
        "[[routes]]\nname = 'orders'\ntarget = 'shop'\nqueue = {{ name = 'orders' }}\n\
         [targets.shop]\nhttp = '{url}'\n\
         [dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"
    );
    let serve = command(&["serve", "--listen", "127.0.0.1:0", "--data-dir", "data"]);
    let server = TestServer::start_in(folder_with(name, &targets), serve);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead"]);
    until("a running route", || page(&server, "/metrics").contains("redrive_route_paused_by_outage{"));
    let capture = ["letters", "capture", "dead", "x", "--error", "timed out", "--retry-policy", "immediate"];
    server.run_ok(&capture);
    seen.recv().unwrap();
    until("the metrics of an attempt", || page(&server, "/metrics").contains("redrive_run_attempt_seconds_bucket"));
    server
}

#[test]
fn every_query_names_metrics_of_a_running_server() {
    assert_eq!(
        metrics("histogram_quantile(0.9, sum by (le, queue) (rate(a_bucket{b=\"c_d\"}[5m]))) > 0.5 or e_f == 1"),
        ["a_bucket", "e_f"].map(str::to_owned).into()
    );

    let server = server_with_every_metric("monitoring");
    let shown = page(&server, "/metrics");
    let series = shown.lines().filter(|line| !line.starts_with('#'));
    let known: BTreeSet<&str> = series.filter_map(|line| line.split(['{', ' ']).next()).collect();
    let (alerts, panels) = (alert_queries(), dashboard_queries());
    assert!(alerts.len() >= 16 && panels.len() >= 12, "{} rules, {} queries", alerts.len(), panels.len());
    for query in alerts.iter().chain(&panels) {
        let named = metrics(query);
        assert!(!named.is_empty(), "{query}");
        // Prometheus itself has `up`.
        let unknown: Vec<_> = named.iter().filter(|name| *name != "up" && !known.contains(name.as_str())).collect();
        assert!(unknown.is_empty(), "{query} names {unknown:?}");
    }
}

/// `promtool check metrics` reports a metric without a help text.
#[test]
fn every_metric_has_one_type_and_one_help_text() {
    let shown = page(&server_with_every_metric("metrics-described"), "/metrics");
    let names = |kind: &str| -> Vec<String> {
        let lines = shown.lines().filter_map(|line| line.strip_prefix(kind));
        let mut names: Vec<String> = lines.map(|line| line.split(' ').next().unwrap().to_owned()).collect();
        names.sort_unstable();
        names
    };
    let types = names("# TYPE ");
    assert!(types.len() > 50 && types.is_sorted_by(|a, b| a < b), "{types:?}");
    assert_eq!(names("# HELP "), types);
}

#[test]
fn the_page_lists_every_alert() {
    let rules = std::fs::read_to_string(files().join("alerts.yml")).unwrap();
    let page = std::fs::read_to_string(files().join("../monitor.md")).unwrap();
    for name in rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")) {
        assert!(page.contains(&format!("`{name}`")), "{name} is not in docs/monitor.md");
    }
}
