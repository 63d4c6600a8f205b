//! Redis, with its data on disk.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Service;

pub(super) const SERVICE: Service =
    Service { name: "redis", program: "redis-server", package: "redis-server", start, answers };

fn start(directory: &Path, port: u16) -> Command {
    let mut command = Command::new("redis-server");
    command
        .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--daemonize", "no"])
        .args(["--appendonly", "yes", "--enable-debug-command", "local", "--dir"])
        .arg(directory);
    command
}

fn answers(address: SocketAddr) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        stream.write_all(b"PING\r\n")?;
        let mut answer = [0; 5];
        stream.read_exact(&mut answer)?;
        Ok(&answer == b"+PONG")
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
