//! Replay the dead letters that are likely to succeed now.
//!
//! Letters are read without a lease; only those that the predicate chooses are moved back to their mailbox. Their sender
//! gets the result as another reply.
//!
//! Run it with `cargo run -p redrive --example loops_replay --features mailbox`.
//!
//! Output:
//!
//! ```text
//! letters: 3
//! replayed 2, skipped 1
//! order-1: done
//! order-3: done
//! letters: 1
//! ```

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use redrive::core::{Failure, Span};
use redrive::mailbox::{
    DlqPolicy, LoopRequest, LoopResult, LoopTiming, Mailbox, MailboxBackend, MailboxName, MailboxSettings, MainLoop,
    MemoryMailbox, MemoryMailboxes, Progress, Replay, ReplyResolver, Runnable,
};
use redrive::store::SystemClock;

fn failure(kind: &str, message: &str) -> Failure {
    kind.parse().map_or_else(|_| Failure::new(message), |kind| Failure::of_kind(kind, message))
}

type Requests = Mailbox<LoopRequest<String>, LoopResult<()>>;

/// A loop that orders books from a warehouse, which may be down.
fn order_loop(requests: Requests, letters: Arc<dyn MailboxBackend>, is_up: bool) -> MainLoop<String, ()> {
    let order = move |text: String, progress: Progress| async move {
        match text.as_str() {
            "nothing" => Err(failure("validation", "no book was named")),
            _ if !is_up => Err(failure("timeout.warehouse", "the warehouse did not answer")),
            _ => {
                println!("{}: done", progress.work().request_id.as_deref().unwrap_or_default());
                Ok(())
            }
        }
    };
    MainLoop::new(requests, order).with_dlq(DlqPolicy::new(letters).max_delivery_count(1))
}

/// Runs a loop until there are no requests.
async fn run(main: MainLoop<String, ()>, source: &Arc<MemoryMailbox>) -> Result<(), Box<dyn Error>> {
    let main = Arc::new(main);
    let running = tokio::spawn({
        let main = Arc::clone(&main);
        async move { main.run(LoopTiming::ALONE).await }
    });
    while source.counts().await?.total() > 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    main.shutdown(Span::from_secs(10));
    running.await??;
    Ok(())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let memory = MemoryMailboxes::new(Arc::new(SystemClock));
    let letters = memory.open(MailboxName::new("orders-dlq")?, MailboxSettings::of_letters());
    let source = memory.open(MailboxName::new("orders")?, MailboxSettings::default());
    let requests: Requests = Mailbox::new(source.clone());
    for (id, text) in [("order-1", "one book"), ("order-2", "nothing"), ("order-3", "two books")] {
        requests.send(&LoopRequest::new(id, text.to_owned())).await?;
    }
    run(order_loop(requests.clone(), letters.clone(), false), &source).await?;
    println!("letters: {}", letters.counts().await?.total());

    let replay = Replay::new(letters.clone(), source.clone(), ReplyResolver::default());
    let report = replay.matching(|letter| letter.last_error_type.starts_with("timeout")).await?;
    println!("replayed {}, skipped {}", report.replayed, report.skipped);
    run(order_loop(requests, letters.clone(), true), &source).await?;
    println!("letters: {}", letters.counts().await?.total());
    Ok(())
}
