//! RabbitMQ, and the port mapper (epmd) that Erlang needs.

use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Service;
use super::install::Package;
use super::service::{StartContext, ask, free_port, write};
use super::user::User;

pub(super) const SERVICE: Service = Service {
    name: "rabbitmq",
    program: "rabbitmq-server",
    package: Package { name: "rabbitmq-server", units: &["rabbitmq-server.service", "epmd.service", "epmd.socket"] },
    needs: &[&PORT_MAPPER],
    variables: &[],
    start,
    answers,
};

/// Without a running port mapper, Erlang would start one as a daemon that is not recorded and never ends. So RabbitMQ
/// gets a separate one on a free port, which is stopped with it.
static PORT_MAPPER: Service = Service {
    name: "rabbitmq-epmd",
    program: "epmd",
    package: Package { name: "erlang-base", units: &["epmd.service", "epmd.socket"] },
    needs: &[],
    variables: &[],
    start: start_port_mapper,
    answers: port_mapper_answers,
};

const USER: User = User("rabbitmq");

/// The server itself on Debian. The program on the `PATH` is a wrapper for root that writes to the system's log.
const SERVER: &str = "/usr/lib/rabbitmq/bin/rabbitmq-server";

fn start(context: &StartContext<'_>) -> Result<Command> {
    let directory = context.directory;
    let port_mapper = context.needs.first().context("the port mapper of RabbitMQ is missing")?.port();
    let listener = format!("listeners.tcp.1 = 127.0.0.1:{}\n", context.port);
    write(&directory.join("rabbitmq.conf"), &listener)?;
    // No plugins, whatever the system-wide configuration enables.
    write(&directory.join("enabled_plugins"), "[].\n")?;
    USER.own(directory)?;

    let program = if Path::new(SERVER).exists() { SERVER } else { "rabbitmq-server" };
    let mut command = USER.command(program);
    command
        .current_dir(directory)
        // Erlang stores its cookie in the home directory.
        .env("HOME", directory)
        .env("ERL_CRASH_DUMP", directory.join("erl_crash.dump"))
        .env("ERL_EPMD_ADDRESS", Ipv4Addr::LOCALHOST.to_string())
        .env("ERL_EPMD_PORT", port_mapper.to_string())
        .env("RABBITMQ_NODENAME", "redrive@localhost")
        .env("RABBITMQ_DIST_PORT", free_port()?.to_string())
        .env("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}")
        .env("RABBITMQ_CONFIG_FILE", directory.join("rabbitmq.conf"))
        .env("RABBITMQ_ENABLED_PLUGINS_FILE", directory.join("enabled_plugins"))
        // Files that do not exist, so that the system-wide ones are not read.
        .env("RABBITMQ_ADVANCED_CONFIG_FILE", directory.join("advanced.config"))
        .env("RABBITMQ_CONF_ENV_FILE", directory.join("rabbitmq-env.conf"))
        .env("RABBITMQ_MNESIA_BASE", directory.join("mnesia"))
        .env("RABBITMQ_LOG_BASE", directory)
        .env("RABBITMQ_LOGS", "-")
        // Without the first, the server would be a child of a shell, and only the shell's pid would be recorded.
        // Without the second, it would exit at the end of its empty input.
        .env("RABBITMQ_ALLOW_INPUT", "1")
        .env("RABBITMQ_SERVER_START_ARGS", "-noinput");
    Ok(command)
}

/// Whether the server answers the protocol header of AMQP 0-9-1 with the method `connection.start`.
fn answers(address: SocketAddr) -> bool {
    const START: [u8; 4] = [0, 10, 0, 10];
    let [kind, _, _, _, _, _, _, method @ ..] = first_bytes::<11>(address, b"AMQP\0\0\x09\x01").unwrap_or_default();
    kind == 1 && method == START
}

fn start_port_mapper(context: &StartContext<'_>) -> Result<Command> {
    USER.own(context.directory)?;
    let mut command = USER.command("epmd");
    command.current_dir(context.directory).args(["-address", "127.0.0.1", "-port", &context.port.to_string()]);
    Ok(command)
}

/// Whether the port mapper answers the request for its names, whose reply starts with its port.
fn port_mapper_answers(address: SocketAddr) -> bool {
    const NAMES: [u8; 3] = [0, 1, b'n'];
    first_bytes::<4>(address, &NAMES).is_ok_and(|port| u32::from_be_bytes(port) == u32::from(address.port()))
}

fn first_bytes<const N: usize>(address: SocketAddr, question: &[u8]) -> std::io::Result<[u8; N]> {
    let mut answer = [0; N];
    ask(address, question)?.read_exact(&mut answer)?;
    Ok(answer)
}
