//! The loop that processes dead letters.

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use redrive_core::{Backoff, Failure, Span};
use redrive_run::{Call, Handled, Handler};
use redrive_store::{Clock, SystemClock};

use super::mailbox_loop::{MailboxLoop, TypedLoop, named};
use super::main_loop::failure_of;
use super::{DlqDepthAlarm, DlqPolicy, LoopSettings, Progress, metrics};
use crate::body_check::BodyIds;
use crate::{DeadLetter, Heartbeat, MailboxBackend, ReplyResolver};

type HandleLetter =
    Arc<dyn Fn(DeadLetter, Progress) -> BoxFuture<'static, Result<LetterAction, Box<Failure>>> + Send + Sync>;

/// What a handler did with a letter. The letter is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterAction {
    /// It was reported, stored or repaired.
    Processed,
    /// Its message was sent again.
    Replayed,
    /// It is not needed.
    Discarded,
}

impl LetterAction {
    const fn name(self) -> &'static str {
        match self {
            Self::Processed => "process",
            Self::Replayed => "replay",
            Self::Discarded => "discard",
        }
    }
}

/// Processes the letters of a mailbox. A letter whose handler fails stays, and is delivered again after an hour; it never
/// goes to another mailbox. So does one that cannot be decoded.
///
/// Its leases last 300 s and its receives wait 20 s, also in a group.
pub struct DlqConsumer {
    mailbox_loop: MailboxLoop,
}

impl DlqConsumer {
    /// The delay after a failure.
    pub const RETRY_AFTER: Span = Span::from_secs(3600);

    /// A loop that calls `handle` for each letter of the mailbox.
    pub fn new<F, Fut, E>(letters: Arc<dyn MailboxBackend>, handle: F) -> Self
    where
        F: Fn(DeadLetter, Progress) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<LetterAction, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        Self::on_clock(letters, Arc::new(SystemClock), handle)
    }

    /// Like [`new`](Self::new), with another clock.
    pub fn on_clock<F, Fut, E>(letters: Arc<dyn MailboxBackend>, clock: Arc<dyn Clock>, handle: F) -> Self
    where
        F: Fn(DeadLetter, Progress) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<LetterAction, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>>,
    {
        let handle: HandleLetter =
            Arc::new(move |letter, progress| handle(letter, progress).map(|result| result.map_err(failure_of)).boxed());
        let heartbeat = Heartbeat::new(Arc::clone(&clock));
        let handler = Arc::new(LetterHandler {
            letters: Arc::clone(&letters),
            handle,
            heartbeat: heartbeat.clone(),
            clock: Arc::clone(&clock),
        });
        let mailbox = letters.name().to_string();
        let check = Arc::new(move |body: &[u8]| match DeadLetter::from_body(body) {
            Ok(letter) => Ok(BodyIds::new(letter.request_id, letter.trace_id)),
            Err(_) => {
                tracing::error!(mailbox, "dead letter cannot be decoded");
                Err("the body is not a dead letter".to_owned())
            }
        });
        let resolver = ReplyResolver::default();
        let consumed = DlqDepthAlarm { letters: Arc::clone(&letters), threshold: DlqPolicy::DEPTH_ALARM };
        let mut mailbox_loop = MailboxLoop::new(letters, resolver, check, handler, (clock, heartbeat));
        mailbox_loop.consumed = Some(consumed);
        mailbox_loop.settings = Self::default_settings();
        Self { mailbox_loop }
    }

    /// The settings of a consumer: leases of 300 s, receives of 20 s, and a delay of an hour after a failure.
    #[must_use]
    pub fn default_settings() -> LoopSettings {
        LoopSettings {
            visibility: Some(Span::from_secs(300)),
            wait: Some(Span::from_secs(20)),
            backoff: Some(Backoff::fixed(Self::RETRY_AFTER)),
            ..LoopSettings::default()
        }
    }

    /// Sets other settings. Those that they leave open are the [defaults](Self::default_settings) of a consumer.
    #[must_use]
    pub fn with_settings(mut self, settings: LoopSettings) -> Self {
        let LoopSettings { visibility, wait, backoff, .. } = Self::default_settings();
        self.mailbox_loop.settings = LoopSettings {
            visibility: settings.visibility.or(visibility),
            wait: settings.wait.or(wait),
            backoff: settings.backoff.or(backoff),
            ..settings
        };
        self
    }

    named!();
}

impl TypedLoop for DlqConsumer {
    fn mailbox_loop(&self) -> &MailboxLoop {
        &self.mailbox_loop
    }
}

impl std::fmt::Debug for DlqConsumer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DlqConsumer").field("name", &self.mailbox_loop.name).finish_non_exhaustive()
    }
}

struct LetterHandler {
    letters: Arc<dyn MailboxBackend>,
    handle: HandleLetter,
    heartbeat: Heartbeat,
    clock: Arc<dyn Clock>,
}

#[async_trait]
impl Handler for LetterHandler {
    async fn handle(&self, call: Call) -> Handled {
        let heartbeat = Arc::new(self.heartbeat.attempt());
        let progress = Progress::of(call.clone(), &heartbeat);
        // Checked before the delivery.
        let Ok(letter) = DeadLetter::from_body(&call.content.payload) else {
            return Handled::failed(Failure::new("the body is not a dead letter"));
        };
        let age = self.clock.now().since(letter.dead_lettered_at);
        let (message_id, request_id) = (letter.message_id.clone(), letter.request_id.clone());
        let begin = self.clock.monotonic();
        let result = (self.handle)(letter, progress).await;
        metrics::handled(&*self.letters, self.clock.monotonic().since(begin));
        let age_seconds = age.as_micros() / 1_000_000;
        match result {
            Ok(action) => {
                tracing::info!(message_id, request_id, age_seconds, action = action.name(), "dead letter processed");
                metrics::processed(&*self.letters, age);
                match action {
                    LetterAction::Processed => {}
                    LetterAction::Replayed => metrics::replayed(&*self.letters),
                    LetterAction::Discarded => metrics::discarded(&*self.letters),
                }
                Handled::DONE
            }
            Err(failure) => {
                tracing::error!(message_id, request_id, age_seconds, error = %failure, "dead letter handler failed");
                Handled::Failed(failure)
            }
        }
    }
}
