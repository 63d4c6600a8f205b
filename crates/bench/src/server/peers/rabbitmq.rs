//! RabbitMQ: a quorum queue, which confirms after the sync, and manual acknowledgements.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use futures_util::StreamExt;
use futures_util::future::join_all;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, BasicQosOptions, ConfirmSelectOptions,
    QueueDeclareOptions, QueueDeleteOptions,
};
use lapin::types::{AMQPValue, FieldTable, ShortString};
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties, Consumer};

use crate::plain::PAYLOAD;
use crate::server::load::{Caller, Load};

const QUEUE: &str = "redrive-bench";
const PERSISTENT: u8 = 2;
/// The prefetch limit in batches, so that a consumer does not starve while its acknowledgement passes through the
/// queue's log. One, two and eight batches made no measurable difference; the most generous value is the fairest.
const BATCHES_AHEAD: u16 = 8;

/// The items per second through one queue.
pub(in crate::server) async fn rate(address: SocketAddr, load: Load) -> Result<f64> {
    let owner = connect(address).await?;
    let channel = owner.create_channel().await?;
    delete(&channel).await?;
    let mut quorum = FieldTable::default();
    quorum.insert("x-queue-type".into(), AMQPValue::LongString("quorum".into()));
    let durable = QueueDeclareOptions { durable: true, ..QueueDeclareOptions::default() };
    channel.queue_declare(QUEUE.into(), durable, quorum).await?;

    let mut callers = Vec::new();
    for _ in 0..load.connections {
        callers.push(Connected::open(address, load.batch).await?);
    }
    let rate = load.rate(callers).await?;

    let left = delete(&channel).await?;
    ensure!(left == 0, "{left} items were not acknowledged");
    owner.close(0, "".into()).await?;
    Ok(rate)
}

/// The client sets `TCP_NODELAY` and uses a separate I/O thread for each connection.
async fn connect(address: SocketAddr) -> Result<Connection> {
    let uri = format!("amqp://guest:guest@{address}/%2f");
    Connection::connect(&uri, ConnectionProperties::default()).await.context("could not connect to RabbitMQ")
}

/// Deletes the queue and returns the number of its items: 0 if it did not exist.
async fn delete(channel: &Channel) -> Result<u32> {
    Ok(channel.queue_delete(QUEUE.into(), QueueDeleteOptions::default()).await?)
}

struct Connected {
    connection: Connection,
    /// Separate from the consumer's channel, as RabbitMQ recommends: flow control of a publisher must not delay
    /// acknowledgements.
    publisher: Channel,
    consumer: Consumer,
    batch: u16,
}

impl Connected {
    async fn open(address: SocketAddr, batch: u16) -> Result<Self> {
        let connection = connect(address).await?;
        let publisher = connection.create_channel().await?;
        publisher.confirm_select(ConfirmSelectOptions::default()).await?;
        let channel = connection.create_channel().await?;
        channel.basic_qos(batch.saturating_mul(BATCHES_AHEAD), BasicQosOptions::default()).await?;
        let options = BasicConsumeOptions::default();
        let consumer =
            channel.basic_consume(QUEUE.into(), ShortString::default(), options, FieldTable::default()).await?;
        Ok(Self { connection, publisher, consumer, batch })
    }

    /// Publishes the batch concurrently: the client reports each publish when it is written to the socket, and awaiting
    /// them one by one would make a separate write of each.
    async fn publish(&self) -> Result<()> {
        let publish = |_| {
            let properties = BasicProperties::default().with_delivery_mode(PERSISTENT);
            let options = BasicPublishOptions::default();
            self.publisher.basic_publish(ShortString::default(), QUEUE.into(), options, &PAYLOAD, properties)
        };
        for confirm in join_all((0..self.batch).map(publish)).await {
            ensure!(confirm?.await?.is_ack(), "an item was not confirmed");
        }
        Ok(())
    }
}

impl Caller for Connected {
    async fn cycle(&mut self) -> Result<()> {
        self.publish().await?;
        let mut last = None;
        for _ in 0..self.batch {
            let delivery = self.consumer.next().await.context("the consumer was cancelled")??;
            ensure!(delivery.data.len() == PAYLOAD.len(), "unexpected payload size");
            last = Some(delivery);
        }
        if let Some(last) = last {
            // Acknowledges all up to this one. AMQP does not confirm an acknowledgement, so the client cannot know
            // whether it was processed, let alone durable. The other systems wait for an answer here, which is to
            // RabbitMQ's advantage.
            last.acker.ack(BasicAckOptions { multiple: true }).await?;
        }
        Ok(())
    }

    /// Closing the connection returns prefetched items to the queue.
    async fn end(self) -> Result<()> {
        Ok(self.connection.close(0, "".into()).await?)
    }
}
