//! Prometheus, whose package also contains `promtool`.

use std::net::SocketAddr;
use std::process::Command;

use anyhow::Result;

use super::Service;
use super::install::Package;
use super::service::{StartContext, ask_to_end, write};

pub(super) const SERVICE: Service = Service {
    name: "prometheus",
    program: "promtool",
    package: Package { name: "prometheus", units: &["prometheus.service"] },
    needs: &[],
    variables: &[],
    start,
    answers,
};

fn start(context: &StartContext<'_>) -> Result<Command> {
    let config = context.directory.join("prometheus.yml");
    // It scrapes nothing: tests use it to check rules and queries.
    write(&config, "scrape_configs: []\n")?;
    let mut command = Command::new("prometheus");
    command
        .arg(format!("--config.file={}", config.display()))
        .arg(format!("--storage.tsdb.path={}", context.directory.join("data").display()))
        .arg(format!("--web.listen-address=127.0.0.1:{}", context.port));
    Ok(command)
}

fn answers(address: SocketAddr) -> bool {
    let answer = ask_to_end(address, b"GET /-/ready HTTP/1.0\r\n\r\n");
    answer.is_ok_and(|answer| answer.split_whitespace().nth(1) == Some("200"))
}
