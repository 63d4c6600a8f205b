//! Prometheus accepts the rules and queries of the documentation.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::monitoring::{dashboard_queries, files, page, server_with_every_metric};

fn promtool(arguments: &[&str]) {
    let ran = Command::new("promtool").args(arguments).current_dir(files()).output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(ran.status.success(), "promtool {arguments:?}: {out}{err}");
}

#[test]
fn the_alert_rules_are_valid_and_fire_when_they_should() {
    promtool(&["check", "rules", "alerts.yml"]);
    promtool(&["test", "rules", "alerts_test.yml"]);
}

#[test]
fn promtool_finds_no_fault_in_the_metrics_of_a_server() {
    let server = server_with_every_metric("prometheus-metrics");
    let answer = page(&server, "/metrics");
    let (_, shown) = answer.split_once("\r\n\r\n").unwrap();
    assert!(shown.lines().filter(|line| line.starts_with("# TYPE")).count() > 50, "{shown}");
    let mut promtool = Command::new("promtool");
    promtool.args(["check", "metrics"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut promtool = promtool.spawn().unwrap();
    promtool.stdin.take().unwrap().write_all(shown.as_bytes()).unwrap();
    let ran = promtool.wait_with_output().unwrap();
    let said = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(ran.status.success() && said.is_empty(), "{said}");
}

/// Every byte but letters and digits as `%XX`.
fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte.is_ascii_alphanumeric() {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[test]
fn the_queries_of_the_dashboard_are_valid() {
    let address = std::env::var("REDRIVE_TEST_PROMETHEUS").expect("run by cargo xtask test, which sets it");
    for query in dashboard_queries() {
        let mut connection = TcpStream::connect(&address).unwrap();
        write!(connection, "GET /api/v1/query?query={} HTTP/1.0\r\n\r\n", encoded(&query)).unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        assert!(answer.contains("\"status\":\"success\""), "{query}: {answer}");
    }
}
