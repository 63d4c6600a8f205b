//! Redis Streams with a consumer group; every answer follows the sync (`appendfsync always`).

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use redis::aio::MultiplexedConnection;
use redis::io::tcp::TcpSettings;
use redis::{AsyncConnectionConfig, Client, Cmd, IntoConnectionInfo, Pipeline, cmd, pipe};

use crate::plain::PAYLOAD;
use crate::server::load::{Caller, Load};

const STREAM: &str = "redrive-bench";
const GROUP: &str = "workers";

/// The items per second through one stream.
pub(in crate::server) async fn rate(address: SocketAddr, load: Load) -> Result<f64> {
    let mut owner = connect(address).await?;
    let (): () = cmd("DEL").arg(STREAM).query_async(&mut owner).await?;
    let create: Cmd = cmd("XGROUP").arg("CREATE").arg(STREAM).arg(GROUP).arg("$").arg("MKSTREAM").take();
    let (): () = create.query_async(&mut owner).await?;

    let mut callers = Vec::new();
    for number in 0..load.connections {
        callers.push(Connected::open(address, load.batch, number).await?);
    }
    let rate = load.rate(callers).await?;

    let left: u64 = cmd("XLEN").arg(STREAM).query_async(&mut owner).await?;
    ensure!(left == 0, "{left} items were not deleted");
    let (): () = cmd("DEL").arg(STREAM).query_async(&mut owner).await?;
    Ok(rate)
}

async fn connect(address: SocketAddr) -> Result<MultiplexedConnection> {
    let at = format!("redis://{address}").into_connection_info()?;
    let client = Client::open(at.set_tcp_settings(TcpSettings::default().set_nodelay(true)))?;
    // The whole load has a time limit; a timer for each request would only cost time.
    let config = AsyncConnectionConfig::new().set_response_timeout(None);
    client.get_multiplexed_async_connection_with_config(&config).await.context("could not connect to Redis")
}

struct Connected {
    connection: MultiplexedConnection,
    add: Pipeline,
    read: Cmd,
    batch: usize,
}

/// One stream with its entries: the id and one field of each. Tuples, because a map for each entry would cost more.
type Entries = [((), Vec<(Vec<u8>, ((), Vec<u8>))>); 1];

impl Connected {
    async fn open(address: SocketAddr, batch: u16, number: u16) -> Result<Self> {
        let connection = connect(address).await?;
        let mut add = pipe();
        for _ in 0..batch {
            add.cmd("XADD").arg(STREAM).arg("*").arg("payload").arg(&PAYLOAD[..]).ignore();
        }
        let mut read = cmd("XREADGROUP");
        read.arg("GROUP").arg(GROUP).arg(number).arg("COUNT").arg(batch).arg("STREAMS").arg(STREAM).arg(">");
        Ok(Self { connection, add, read, batch: usize::from(batch) })
    }
}

impl Caller for Connected {
    async fn cycle(&mut self) -> Result<()> {
        let (): () = self.add.query_async(&mut self.connection).await?;
        // Never fewer than a batch: every caller adds a batch before it reads one.
        let [((), entries)]: Entries = self.read.query_async(&mut self.connection).await?;
        ensure!(entries.len() == self.batch, "{} items of {}", entries.len(), self.batch);
        ensure!(entries.iter().all(|(_, ((), payload))| payload.len() == PAYLOAD.len()), "unexpected payload size");

        let ids: Vec<&[u8]> = entries.iter().map(|(id, _)| id.as_slice()).collect();
        let mut complete = pipe();
        complete.cmd("XACK").arg(STREAM).arg(GROUP).arg(&ids);
        // An acknowledged entry would stay in the stream forever.
        complete.cmd("XDEL").arg(STREAM).arg(&ids);
        let done: (usize, usize) = complete.query_async(&mut self.connection).await?;
        ensure!(done == (self.batch, self.batch), "not all items could be completed: {done:?}");
        Ok(())
    }
}

#[cfg(test)]
mod with_redis_durable {
    use super::*;

    /// Two callers share the stream; the second load must find no items of the first.
    #[test]
    fn every_item_is_received_and_none_is_left() {
        let address = std::env::var("REDRIVE_TEST_REDIS_DURABLE").expect("cargo xtask test sets the variable");
        let address = address.parse().expect("an address");
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        for batch in [1, 10] {
            let load = Load { batch, connections: 2, items: 100 };
            assert!(runtime.block_on(rate(address, load)).expect("the load succeeds") > 0.0);
        }
    }
}
