//! The time from a send until a receive that waits has returned.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use redis::{AsyncConnectionConfig, Client, cmd};
use redrive_core::Span;
use redrive_mailbox::{MailboxBackend, NewMessage, ReceiveSpec};

const ROUNDS: usize = 300;
/// Within this time, the other side has begun to wait.
const SETTLED: Duration = Duration::from_millis(3);

/// The p99 for a mailbox, in microseconds.
pub(super) async fn of_receive(mailbox: &Arc<dyn MailboxBackend>) -> Result<f64> {
    let spec = ReceiveSpec { max_messages: 1, visibility: Span::from_mins(1), wait: Span::from_mins(1) };
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let waiting = tokio::spawn({
            let mailbox = Arc::clone(mailbox);
            async move { mailbox.receive(spec).await.map(|received| (received, Instant::now())) }
        });
        tokio::time::sleep(SETTLED).await;
        ensure!(!waiting.is_finished(), "the mailbox was not empty");
        let begin = Instant::now();
        mailbox.send(NewMessage::new("x")).await?;
        let (received, end) = waiting.await??;
        times.push(end - begin);
        let message = received.first().context("the receive returned empty")?;
        mailbox.acknowledge(&message.handle).await?;
    }
    Ok(p99_micros(times))
}

/// The p99 for a list, in microseconds.
pub(super) async fn of_blpop(url: &str) -> Result<f64> {
    const LIST: &str = "redrive-bench-blpop";
    let client = Client::open(url)?;
    let config = AsyncConnectionConfig::new().set_response_timeout(None);
    let mut pushing = client.get_multiplexed_async_connection_with_config(&config).await?;
    let popping = client.get_multiplexed_async_connection_with_config(&config).await?;
    let (): () = cmd("DEL").arg(LIST).query_async(&mut pushing).await?;
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let waiting = tokio::spawn({
            let mut popping = popping.clone();
            async move {
                let popped: redis::RedisResult<(String, String)> =
                    cmd("BLPOP").arg(LIST).arg(60).query_async(&mut popping).await;
                popped.map(|_| Instant::now())
            }
        });
        tokio::time::sleep(SETTLED).await;
        let begin = Instant::now();
        let (): () = cmd("RPUSH").arg(LIST).arg("x").query_async(&mut pushing).await?;
        times.push(waiting.await?? - begin);
    }
    Ok(p99_micros(times))
}

fn p99_micros(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() * 99 / 100].as_secs_f64() * 1e6
}
