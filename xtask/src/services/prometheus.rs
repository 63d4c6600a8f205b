//! Prometheus, whose package also contains `promtool`.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::Service;
use super::install::Package;
use super::service::StartContext;

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
    fs::write(&config, "scrape_configs: []\n").context("could not write the configuration of Prometheus")?;
    let mut command = Command::new("prometheus");
    command
        .arg(format!("--config.file={}", config.display()))
        .arg(format!("--storage.tsdb.path={}", context.directory.join("data").display()))
        .arg(format!("--web.listen-address=127.0.0.1:{}", context.port));
    Ok(command)
}

fn answers(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.write_all(b"GET /-/ready HTTP/1.0\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer.split_whitespace().nth(1) == Some("200"))
    };
    ask().unwrap_or(false)
}
