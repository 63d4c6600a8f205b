//! Prometheus accepts the rules and queries of the documentation.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use crate::monitoring::{dashboard_queries, files};

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
