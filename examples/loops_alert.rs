//! Report dead letters, with a consumer that runs in a group beside the loop.
//!
//! The group also watches both loops, ends them on SIGTERM and SIGINT, and serves health checks if it is given an
//! address. Here it is shut down after the last letter.
//!
//! Run it with `cargo run -p redrive --example loops_alert --features mailbox`.
//!
//! Output:
//!
//! ```text
//! ALERT order-1 of 'orders': validation after 1 attempts: no book was named
//! ALERT order-2 of 'orders': validation after 1 attempts: no book was named
//! all loops ended: true
//! ```

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use redrive::core::Failure;
use redrive::mailbox::{
    DeadLetter, DlqConsumer, DlqPolicy, GroupSettings, LetterAction, LoopGroup, LoopRequest, LoopResult, Mailbox,
    MailboxName, MailboxSettings, MainLoop, MemoryMailboxes, Progress, ShutdownSignal,
};
use redrive::store::SystemClock;

async fn order(_: String, _: Progress) -> Result<(), Failure> {
    Err("validation".parse().map_or_else(|_| Failure::new(""), |kind| Failure::of_kind(kind, "no book was named")))
}

/// A real program would page the operator on duty.
fn alert(letter: &DeadLetter) {
    let DeadLetter { source_mailbox, last_error_type, delivery_count, last_error, .. } = letter;
    let id = letter.request_id.as_deref().unwrap_or("a request");
    println!("ALERT {id} of '{source_mailbox}': {last_error_type} after {delivery_count} attempts: {last_error}");
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let memory = MemoryMailboxes::new(Arc::new(SystemClock));
    let letters = memory.open(MailboxName::new("orders-dlq")?, MailboxSettings::of_letters());
    let backend = memory.open(MailboxName::new("orders")?, MailboxSettings::default());
    let requests: Mailbox<LoopRequest<String>, LoopResult<()>> = Mailbox::new(backend);
    for id in ["order-1", "order-2"] {
        requests.send(&LoopRequest::new(id, String::new())).await?;
    }

    let group = LoopGroup::new(GroupSettings::default());
    let (shutdown, alerts): (ShutdownSignal, _) = (group.shutdown_signal().clone(), AtomicU32::new(0));
    let consumer = DlqConsumer::new(letters.clone(), move |letter: DeadLetter, _: Progress| {
        alert(&letter);
        if alerts.fetch_add(1, Ordering::Relaxed) == 1 {
            shutdown.give();
        }
        async { Ok::<_, Failure>(LetterAction::Processed) }
    });
    let dlq = DlqPolicy::new(letters).include(["validation".parse()?]);
    let group = group.with(MainLoop::new(requests, order).with_dlq(dlq)).with(consumer);
    let report = group.run().await?;
    println!("all loops ended: {}", report.missed().is_empty());
    Ok(())
}
