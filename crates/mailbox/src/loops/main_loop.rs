//! The loop that answers requests.

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use redrive_core::Failure;
use redrive_run::{Call, Handled, Handler};
use redrive_store::{Clock, SystemClock};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::mailbox_loop::{MailboxLoop, TypedLoop, answering, check_of, named};
use super::{LoopRequest, LoopResult, Progress};
use crate::decode::{decode, encode};
use crate::{DeadLetter, Heartbeat, Mailbox};

pub(super) type Execute<Q, O> = Arc<dyn Fn(Q, Progress) -> BoxFuture<'static, Result<O, Box<Failure>>> + Send + Sync>;

/// Processes the requests of a mailbox, and replies with the results.
///
/// A request that fails is retried after a delay. With a [`DlqPolicy`](crate::DlqPolicy), one that fails permanently
/// becomes a dead letter, and its sender gets one reply with the error; without, it is retried without a limit.
///
/// ```
/// use std::io;
/// use std::sync::Arc;
///
/// use redrive_mailbox::{
///     DlqPolicy, LoopRequest, LoopResult, LoopTiming, Mailbox, MailboxName, MailboxSettings, MainLoop, MemoryMailboxes,
///     Progress, ReceiveSpec, ReplyResolver, Runnable,
/// };
/// use redrive_core::Span;
/// use redrive_store::SystemClock;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let memory = MemoryMailboxes::new(Arc::new(SystemClock));
/// let replies = memory.open(MailboxName::new("replies")?, MailboxSettings::default());
/// let letters = memory.open(MailboxName::new("requests-dlq")?, MailboxSettings::of_letters());
/// let requests = memory.open(MailboxName::new("requests")?, MailboxSettings::default());
/// let resolver = ReplyResolver::builder().register(replies.clone()).build();
/// let requests: Mailbox<LoopRequest<u32>, LoopResult<u32>> = Mailbox::new(requests).with_resolver(resolver);
/// requests.send_expecting_reply(&LoopRequest::new("r-1", 20), &MailboxName::new("replies")?).await?;
///
/// let double = |number: u32, _: Progress| async move { Ok::<_, io::Error>(2 * number) };
/// let main = Arc::new(MainLoop::new(requests, double).with_dlq(DlqPolicy::new(letters)));
/// let running = tokio::spawn({
///     let main = Arc::clone(&main);
///     async move { main.run(LoopTiming::ALONE).await }
/// });
/// let replies: Mailbox<LoopResult<u32>, ()> = Mailbox::new(replies);
/// let spec = ReceiveSpec { wait: Span::from_secs(10), ..ReceiveSpec::default() };
/// let reply = replies.receive(spec).await?.remove(0);
/// assert_eq!(reply.body().decoded().unwrap().output, Some(40));
/// main.shutdown(Span::from_secs(10));
/// assert_eq!(running.await??.done, 1);
/// # Ok(())
/// # }
/// ```
pub struct MainLoop<Q, O> {
    mailbox_loop: MailboxLoop,
    execute: Execute<Q, O>,
}

impl<Q, O> MainLoop<Q, O>
where
    Q: DeserializeOwned + Send + 'static,
    O: Serialize + Send + 'static,
{
    /// A loop that calls `execute` for each request of the mailbox. Results go to the mailboxes that its resolver finds.
    pub fn new<F, Fut, E>(requests: Mailbox<LoopRequest<Q>, LoopResult<O>>, execute: F) -> Self
    where
        F: Fn(Q, Progress) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        Self::on_clock(requests, Arc::new(SystemClock), execute)
    }

    /// Like [`new`](Self::new), with another clock.
    pub fn on_clock<F, Fut, E>(
        requests: Mailbox<LoopRequest<Q>, LoopResult<O>>,
        clock: Arc<dyn Clock>,
        execute: F,
    ) -> Self
    where
        F: Fn(Q, Progress) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        let execute: Execute<Q, O> = Arc::new(move |request, progress| {
            execute(request, progress).map(|result| result.map_err(failure_of)).boxed()
        });
        let heartbeat = Heartbeat::new(Arc::clone(&clock));
        let answering = Arc::clone(&execute);
        let process = move |call, progress| answer(Arc::clone(&answering), call, progress);
        let handler = Arc::new(ExpandingHandler { heartbeat: heartbeat.clone(), process });
        let (mailbox, resolver) = requests.into_parts();
        let check = check_of::<LoopRequest<Q>>();
        let mut mailbox_loop = MailboxLoop::new(mailbox, resolver, check, handler, (clock, heartbeat));
        mailbox_loop.failure_reply = Some(Arc::new(|failed| {
            let (request_id, error) = (failed.request_id, Some(failed.error));
            encode(&LoopResult::<O> { request_id, output: None, error })
        }));
        Self { mailbox_loop, execute }
    }

    answering!();

    named!();

    pub(super) fn execute(&self) -> Execute<Q, O> {
        Arc::clone(&self.execute)
    }
}

impl<Q: 'static, O: 'static> TypedLoop for MainLoop<Q, O> {
    fn mailbox_loop(&self) -> &MailboxLoop {
        &self.mailbox_loop
    }
}

impl<Q, O> std::fmt::Debug for MainLoop<Q, O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MainLoop").field("name", &self.mailbox_loop.name).finish_non_exhaustive()
    }
}

async fn answer<Q: DeserializeOwned, O>(
    execute: Execute<Q, O>,
    call: Call,
    progress: Progress,
) -> Result<LoopResult<O>, Box<Failure>> {
    let request: LoopRequest<Q> = decode_request(&call)?;
    let output = execute(request.request, progress).await?;
    Ok(LoopResult { request_id: Some(request.request_id), output: Some(output), error: None })
}

/// How often a handler is called again at once.
const EXPANSIONS_MAX: u32 = 10;

/// Processes messages, with their heartbeat. A function that fails with the kind `visibility_expansion` has changed what
/// its next call sees, which is no failure of the request: it is called again at once.
pub(super) struct ExpandingHandler<F> {
    pub(super) heartbeat: Heartbeat,
    pub(super) process: F,
}

#[async_trait]
impl<F, Fut, T> Handler for ExpandingHandler<F>
where
    F: Fn(Call, Progress) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<T, Box<Failure>>> + Send,
    T: Serialize + Send,
{
    async fn handle(&self, call: Call) -> Handled {
        let heartbeat = Arc::new(self.heartbeat.attempt());
        let progress = Progress::of(call.clone(), &heartbeat);
        for _ in 0..EXPANSIONS_MAX {
            let result = (self.process)(call.clone(), progress.clone()).await;
            if !result.as_ref().is_err_and(|failure| is_expansion(failure)) {
                return result_of(result);
            }
            progress.beat();
        }
        result_of((self.process)(call, progress).await)
    }
}

fn is_expansion(failure: &Failure) -> bool {
    let kinds = failure.error.kind.as_ref().zip("visibility_expansion".parse().ok());
    kinds.is_some_and(|(kind, expansion)| kind.is_a(&expansion))
}

pub(super) fn decode_request<T: DeserializeOwned>(call: &Call) -> Result<T, Box<Failure>> {
    decode(&call.content.payload)
        .map_err(|error| Box::new(Failure::of_kind_named(DeadLetter::UNDECODABLE, error.to_string())))
}

/// The end of an attempt with this result.
fn result_of<T: Serialize>(result: Result<T, Box<Failure>>) -> Handled {
    let encoded = result.and_then(|result| {
        encode(&result).map_err(|error| Box::new(Failure::of_kind_named("serialization.result", error.to_string())))
    });
    match encoded {
        Ok(result) => Handled::Done { result: Some(result) },
        Err(failure) => Handled::Failed(failure),
    }
}

/// The failure of a handler that returned this error.
pub(super) fn failure_of(error: impl Into<Box<dyn Error + Send + Sync>>) -> Box<Failure> {
    Box::new(Failure::from_error(&*error.into()))
}
