//! Redis with an append-only file.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::Service;
use super::install::Package;
use super::service::StartContext;

pub(super) const SERVICE: Service = Service {
    name: "redis",
    program: "redis-server",
    package: Package { name: "redis-server", units: &["redis-server.service"] },
    needs: &[],
    variables: &[],
    start,
    answers,
};

/// Redis that answers after the sync, for comparisons with other durable systems and for tests that kill it.
pub(super) const DURABLE: Service = Service { name: "redis-durable", start: start_durable, ..SERVICE };

fn start(context: &StartContext<'_>) -> Result<Command> {
    let mut command = Command::new("redis-server");
    command
        .args(["--port", &context.port.to_string(), "--bind", "127.0.0.1", "--daemonize", "no"])
        .args(["--appendonly", "yes", "--enable-debug-command", "local", "--dir"])
        .arg(context.directory);
    Ok(command)
}

fn start_durable(context: &StartContext<'_>) -> Result<Command> {
    let mut command = start(context)?;
    // The append-only file is complete; snapshots would only cost time.
    command.args(["--appendfsync", "always", "--save", ""]);
    Ok(command)
}

fn answers(address: SocketAddr) -> bool {
    answers_with(address, b"PING\r\n", b"+PONG")
}

/// Whether the answer to this command starts with the expected bytes.
fn answers_with(address: SocketAddr, command: &[u8], expected: &[u8]) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.write_all(command)?;
        let mut answer = vec![0; expected.len()];
        stream.read_exact(&mut answer)?;
        Ok(answer == expected)
    };
    ask().unwrap_or(false)
}

#[cfg(test)]
mod with_redis {
    use super::answers;

    /// Covers the metadata of the package, the installation, the start and the address.
    #[test]
    fn the_service_in_the_metadata_of_this_package_answers() {
        let address = std::env::var("REDRIVE_TEST_REDIS").expect("cargo xtask test sets the variable");
        assert!(answers(address.parse().expect("an address")));
    }
}

#[cfg(test)]
mod with_redis_durable {
    use super::answers_with;

    /// Otherwise a benchmark would compare a durable system with one that is not.
    #[test]
    fn durable_redis_syncs_before_it_answers_and_takes_no_snapshots() {
        let address = std::env::var("REDRIVE_TEST_REDIS_DURABLE").expect("cargo xtask test sets the variable");
        let address = address.parse().expect("an address");
        let expected = b"*2\r\n$11\r\nappendfsync\r\n$6\r\nalways\r\n";
        assert!(answers_with(address, b"CONFIG GET appendfsync\r\n", expected));
        assert!(answers_with(address, b"CONFIG GET save\r\n", b"*2\r\n$4\r\nsave\r\n$0\r\n\r\n"));
    }
}
