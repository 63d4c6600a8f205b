//! Redis, with its data on disk.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::Service;
use super::install::Package;
use super::service::Place;

pub(super) const SERVICE: Service = Service {
    name: "redis",
    program: "redis-server",
    package: Package { name: "redis-server", units: &["redis-server.service"] },
    needs: &[],
    start,
    answers,
};

/// Redis that answers after the sync: to be measured beside others that do, and to be killed.
pub(super) const DURABLE: Service = Service { name: "redis-durable", start: start_durable, ..SERVICE };

fn start(place: &Place<'_>) -> Result<Command> {
    let mut command = Command::new("redis-server");
    command
        .args(["--port", &place.port.to_string(), "--bind", "127.0.0.1", "--daemonize", "no"])
        .args(["--appendonly", "yes", "--enable-debug-command", "local", "--dir"])
        .arg(place.directory);
    Ok(command)
}

fn start_durable(place: &Place<'_>) -> Result<Command> {
    let mut command = start(place)?;
    // The log says everything; snapshots beside it would only cost time.
    command.args(["--appendfsync", "always", "--save", ""]);
    Ok(command)
}

fn answers(address: SocketAddr) -> bool {
    says(address, b"PING\r\n", b"+PONG")
}

/// Whether the answer to this command begins like that.
fn says(address: SocketAddr, command: &[u8], expected: &[u8]) -> bool {
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

    /// The whole way: the package's word, the installation, the start, the address.
    #[test]
    fn the_service_that_this_package_asks_for_answers() {
        let address = std::env::var("REDRIVE_TEST_REDIS").expect("run by cargo xtask test, which sets it");
        assert!(answers(address.parse().expect("an address")));
    }
}

#[cfg(test)]
mod with_redis_durable {
    use super::says;

    /// Otherwise a benchmark would compare our syncs with their absence.
    #[test]
    fn it_answers_after_the_sync_and_takes_no_snapshots() {
        let address = std::env::var("REDRIVE_TEST_REDIS_DURABLE").expect("run by cargo xtask test, which sets it");
        let address = address.parse().expect("an address");
        let expected = b"*2\r\n$11\r\nappendfsync\r\n$6\r\nalways\r\n";
        assert!(says(address, b"CONFIG GET appendfsync\r\n", expected));
        assert!(says(address, b"CONFIG GET save\r\n", b"*2\r\n$4\r\nsave\r\n$0\r\n\r\n"));
    }
}
