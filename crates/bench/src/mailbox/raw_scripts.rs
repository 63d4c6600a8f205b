//! The reference on Redis: the same scripts, the same number of calls, in pipelines of 64 on one connection.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, Value, cmd, pipe};
use redrive_store::random_seed;

use super::throughput::CALLERS;
use crate::plain::PAYLOAD;

const CLOCK: &str = include_str!("../../../redis/src/scripts/clock_server.lua");
const PRELUDE: &str = include_str!("../../../redis/src/scripts/prelude.lua");
const SEND: &str = include_str!("../../../redis/src/scripts/send.lua");
const RECEIVE: &str = include_str!("../../../redis/src/scripts/receive.lua");
const ACKNOWLEDGE: &str = include_str!("../../../redis/src/scripts/acknowledge.lua");

const PARTS: [&str; 8] = ["pending", "invisible", "data", "meta", "expires", "wake", "voided", "delayed"];
const RETENTION_US: &str = "259200000000";
const VISIBILITY_US: &str = "600000000";
const REMEMBERED_MS: &str = "30000";

/// Messages per second: each is sent, received and acknowledged by one call.
pub(super) async fn rate(url: &str, messages: usize) -> Result<f64> {
    // The whole load has a time limit; a timer for each request would only cost time.
    let config = AsyncConnectionConfig::new().set_response_timeout(None);
    let mut connection = Client::open(url)?.get_multiplexed_async_connection_with_config(&config).await?;
    let keys = PARTS.map(|part| format!("{{queue:bench-raw}}:{part}"));
    let (): () = cmd("DEL").arg(&keys[..]).query_async(&mut connection).await?;
    let mut raw = RawCalls {
        send: load(&mut connection, SEND).await?,
        receive: load(&mut connection, RECEIVE).await?,
        acknowledge: load(&mut connection, ACKNOWLEDGE).await?,
        keys,
        connection,
        run: random_seed(),
        next: 0,
    };
    let begin = Instant::now();
    let rounds = messages / CALLERS;
    for _ in 0..rounds {
        raw.round().await?;
    }
    Ok((rounds * CALLERS) as f64 / begin.elapsed().as_secs_f64())
}

async fn load(connection: &mut MultiplexedConnection, script: &str) -> Result<String> {
    let code = format!("{CLOCK}{PRELUDE}{script}");
    cmd("SCRIPT").arg("LOAD").arg(code).query_async(connection).await.context("the script is not accepted")
}

struct RawCalls {
    connection: MultiplexedConnection,
    keys: [String; 8],
    send: String,
    receive: String,
    acknowledge: String,
    /// Distinguishes this run from earlier ones, whose operations the server still remembers.
    run: u64,
    next: u64,
}

impl RawCalls {
    /// A value that was not used before, as long as an operation id.
    fn token(&mut self) -> String {
        self.next += 1;
        format!("{:016x}{:016x}", self.run, self.next)
    }

    async fn round(&mut self) -> Result<()> {
        let tokens: Vec<String> = (0..CALLERS).map(|_| self.token()).collect();
        let mut send = pipe();
        for token in &tokens {
            let operation = format!("{{queue:bench-raw}}:op:s{token}");
            send.cmd("EVALSHA").arg(&self.send).arg(9).arg(&self.keys[..]).arg(operation);
            send.arg(token).arg(&PAYLOAD[..]).arg("").arg(RETENTION_US).arg(0).arg(REMEMBERED_MS).arg(0).arg(0);
        }
        let sent: Vec<(String, u64)> = send.query_async(&mut self.connection).await?;
        ensure!(sent.iter().all(|(answer, _)| answer == "ok"), "a message was not accepted");

        let mut receive = pipe();
        for token in &tokens {
            let operation = format!("{{queue:bench-raw}}:op:r{token}");
            receive.cmd("EVALSHA").arg(&self.receive).arg(9).arg(&self.keys[..]).arg(operation);
            receive.arg(1).arg(VISIBILITY_US).arg(token).arg(REMEMBERED_MS).arg(0);
        }
        let received: Vec<Vec<Value>> = receive.query_async(&mut self.connection).await?;
        ensure!(received.iter().all(|answer| answer.len() == 6), "a receive got no message");

        // Messages are received in the order in which they were sent: id and nonce are the same token.
        let mut acknowledge = pipe();
        for token in &tokens {
            let operation = format!("{{queue:bench-raw}}:op:a{token}");
            acknowledge.cmd("EVALSHA").arg(&self.acknowledge).arg(9).arg(&self.keys[..]).arg(operation);
            acknowledge.arg(token).arg(token).arg(REMEMBERED_MS).arg(0);
        }
        let acknowledged: Vec<String> = acknowledge.query_async(&mut self.connection).await?;
        ensure!(acknowledged.iter().all(|answer| answer == "ok"), "a message was not acknowledged");
        Ok(())
    }
}
