//! Redis with an append-only file: a server, a durable one, and a cluster.

use std::io::Read;
use std::net::SocketAddr;
use std::process::Command;

use anyhow::Result;

use super::Service;
use super::install::Package;
use super::service::{StartContext, ask};

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

/// A cluster of three masters. This is the first one, which also makes them a cluster.
pub(super) const CLUSTER: Service = Service {
    name: "redis-cluster",
    needs: &[&SECOND_NODE, &THIRD_NODE],
    start: start_cluster,
    answers: cluster_answers,
    ..SERVICE
};

static SECOND_NODE: Service = Service { name: "redis-cluster-2", start: start_node, ..SERVICE };
static THIRD_NODE: Service = Service { name: "redis-cluster-3", start: start_node, ..SERVICE };

/// The port of the cluster bus, which is the port plus 10 000 by default and may then not exist.
fn bus_port(port: u16) -> u16 {
    if port < 40_000 { port + 10_000 } else { port - 10_000 }
}

fn start_node(context: &StartContext<'_>) -> Result<Command> {
    let mut command = start(context)?;
    command.args(["--cluster-enabled", "yes", "--cluster-port", &bus_port(context.port).to_string()]);
    Ok(command)
}

/// Runs the first node in the foreground, and meanwhile connects the three.
fn start_cluster(context: &StartContext<'_>) -> Result<Command> {
    let node = start_node(context)?;
    let ports = std::iter::once(context.port).chain(context.needs.iter().map(SocketAddr::port));
    let nodes: Vec<String> = ports.map(|port| format!("127.0.0.1:{port}@{}", bus_port(port))).collect();
    let script = format!(
        "(until redis-cli -p {port} ping >/dev/null 2>&1; do sleep 0.1; done; \
          redis-cli --cluster create {nodes} --cluster-replicas 0 --cluster-yes) & exec \"$@\"",
        port = context.port,
        nodes = nodes.join(" ")
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(node.get_program()).args(node.get_args());
    Ok(command)
}

/// Whether all slots are served.
fn cluster_answers(address: SocketAddr) -> bool {
    answer(address, b"CLUSTER INFO\r\n")
        .is_ok_and(|answer| answer.contains("cluster_state:ok") && answer.contains("cluster_slots_ok:16384"))
}

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
    answer(address, b"PING\r\n").is_ok_and(|answer| answer == "+PONG\r\n")
}

/// The answer to a command, which must fit into 512 bytes.
fn answer(address: SocketAddr, command: &[u8]) -> std::io::Result<String> {
    let mut answer = [0; 512];
    let length = ask(address, command)?.read(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer[..length]).into_owned())
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
    use super::answer;

    /// Otherwise a benchmark would compare a durable system with one that is not.
    #[test]
    fn durable_redis_syncs_before_it_answers_and_takes_no_snapshots() {
        let address = std::env::var("REDRIVE_TEST_REDIS_DURABLE").expect("cargo xtask test sets the variable");
        let address = address.parse().expect("an address");
        let synced = answer(address, b"CONFIG GET appendfsync\r\n").expect("an answer");
        assert_eq!(synced, "*2\r\n$11\r\nappendfsync\r\n$6\r\nalways\r\n");
        let saved = answer(address, b"CONFIG GET save\r\n").expect("an answer");
        assert_eq!(saved, "*2\r\n$4\r\nsave\r\n$0\r\n\r\n");
    }
}
