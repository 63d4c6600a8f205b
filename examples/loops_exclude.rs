//! Never dead-letter some errors: a broken connection says nothing about the request.
//!
//! An excluded error is retried however often it occurs, and does not count as an attempt.
//!
//! Run it with `cargo run -p redrive --example loops_exclude --features mailbox`.
//!
//! Output:
//!
//! ```text
//! call 1: the warehouse does not answer
//! call 2: the warehouse does not answer
//! call 3: the warehouse does not answer
//! call 4: the warehouse does not answer
//! call 5: delivered, as attempt 1
//! letters: 0
//! ```

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use redrive::core::{Backoff, Span};
use redrive::mailbox::{
    DlqPolicy, LoopRequest, LoopResult, LoopSettings, LoopTiming, Mailbox, MailboxBackend, MailboxName,
    MailboxSettings, MainLoop, MemoryMailboxes, Progress, ReceiveSpec, ReplyResolver, Runnable,
};
use redrive::store::SystemClock;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let memory = MemoryMailboxes::new(Arc::new(SystemClock));
    let letters = memory.open(MailboxName::new("orders-dlq")?, MailboxSettings::of_letters());
    let replies = memory.open(MailboxName::new("replies")?, MailboxSettings::default());
    let resolver = ReplyResolver::builder().register(replies.clone()).build();
    let backend = memory.open(MailboxName::new("orders")?, MailboxSettings::default());
    let requests: Mailbox<LoopRequest<String>, LoopResult<u32>> = Mailbox::new(backend).with_resolver(resolver);
    let request = LoopRequest::new("order-1", "one book".to_owned());
    requests.send_expecting_reply(&request, &MailboxName::new("replies")?).await?;

    let calls = Arc::new(AtomicU32::new(0));
    let deliver = move |_: String, progress: Progress| {
        let call = calls.fetch_add(1, Ordering::Relaxed) + 1;
        async move {
            if call < 5 {
                println!("call {call}: the warehouse does not answer");
                // The kind of an `io::Error` is known: this one is a `connection.reset`.
                return Err(io::Error::new(io::ErrorKind::ConnectionReset, "reset by the warehouse"));
            }
            println!("call {call}: delivered, as attempt {}", progress.work().attempt);
            Ok(call)
        }
    };
    let settings = LoopSettings { backoff: Some(Backoff::fixed(Span::from_millis(10))), ..LoopSettings::default() };
    let dlq = DlqPolicy::new(letters.clone()).max_delivery_count(2);
    let dlq = dlq.exclude(["connection".parse()?, "rate_limit".parse()?, "timeout".parse()?]);
    let main = Arc::new(MainLoop::new(requests, deliver).with_dlq(dlq).with_settings(settings));
    let running = tokio::spawn({
        let main = Arc::clone(&main);
        async move { main.run(LoopTiming::ALONE).await }
    });
    replies.receive(ReceiveSpec { wait: Span::from_secs(10), ..ReceiveSpec::default() }).await?;
    main.shutdown(Span::from_secs(10));
    running.await??;
    println!("letters: {}", letters.counts().await?.total());
    Ok(())
}
