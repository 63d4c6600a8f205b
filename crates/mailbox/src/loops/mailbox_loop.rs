//! What all loops over a mailbox share: a runner, built for each run, and its state.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::{AttemptLimit, Invalid, Policy, Span, Template};
use redrive_run::{Handler, RunReport, Runner, RunnerMonitor};
use redrive_store::Clock;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use super::{DlqDepthAlarm, DlqPolicy, LoopError, LoopSettings, LoopTiming, Runnable};
use crate::body_check::{BodyCheck, BodyIds};
use crate::decode::decode;
use crate::source::LetterDestination;
use crate::terminal_reply::FailureReply;
use crate::{Heartbeat, MailboxBackend, MailboxSource, ReplyResolver};

/// How long a loop waits at its end for messages that are being released.
const RELEASE_FOR: Duration = Duration::from_secs(2);

/// A loop over a mailbox, before it has a type.
pub(super) struct MailboxLoop {
    pub(super) name: String,
    pub(super) mailbox: Arc<dyn MailboxBackend>,
    pub(super) resolver: ReplyResolver,
    pub(super) check: BodyCheck,
    pub(super) failure_reply: Option<FailureReply>,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) dlq: Option<DlqPolicy>,
    /// The letters that the loop consumes.
    pub(super) consumed: Option<DlqDepthAlarm>,
    pub(super) settings: LoopSettings,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) heartbeat: Heartbeat,
    /// Set once: the time for the handlers.
    stop: watch::Sender<Option<Span>>,
    is_running: AtomicBool,
    monitor: Mutex<Option<RunnerMonitor>>,
}

impl MailboxLoop {
    pub(super) fn new(
        mailbox: Arc<dyn MailboxBackend>,
        resolver: ReplyResolver,
        check: BodyCheck,
        handler: Arc<dyn Handler>,
        (clock, heartbeat): (Arc<dyn Clock>, Heartbeat),
    ) -> Self {
        Self {
            name: mailbox.name().to_string(),
            mailbox,
            resolver,
            check,
            failure_reply: None,
            handler,
            dlq: None,
            consumed: None,
            settings: LoopSettings::default(),
            clock,
            heartbeat,
            stop: watch::Sender::new(None),
            is_running: AtomicBool::new(false),
            monitor: Mutex::default(),
        }
    }

    fn policy(&self) -> Result<Policy, Invalid> {
        let mut policy = Template::named("mailbox")?.builder()?.jitter(self.settings.jitter);
        if let Some(backoff) = &self.settings.backoff {
            policy = policy.backoff_for_all(backoff.clone());
        }
        match &self.dlq {
            Some(dlq) => dlq.apply(policy)?,
            None => policy.limit(AttemptLimit::Unlimited),
        }
        .build()
    }

    fn source(&self, timing: LoopTiming) -> Result<MailboxSource, LoopError> {
        let (mailbox, clock) = (Arc::clone(&self.mailbox), Arc::clone(&self.clock));
        let LoopTiming { visibility, wait } = self.settings.timing(timing);
        let mut source = match &self.dlq {
            Some(dlq) => {
                let source = match dlq.letters().clone() {
                    LetterDestination::Mailbox(letters) => MailboxSource::new(mailbox, letters, visibility, clock)?,
                    LetterDestination::DeadQueue(letters) => {
                        MailboxSource::with_dead_queue(mailbox, *letters, visibility, clock)?
                    }
                };
                source.limited_to(dlq.limit()?)
            }
            // Letters have no limit of deliveries that the second one of each could exceed.
            None if visibility.is_zero() && self.consumed.is_some() => {
                let mut source = MailboxSource::without_letters(mailbox, self.settings.extension, clock)?;
                source.lease = Span::ZERO;
                source
            }
            None => MailboxSource::without_letters(mailbox, visibility, clock)?,
        };
        source.extension = self.settings.extension;
        source.wait = wait;
        source.heartbeat = Some(self.heartbeat.clone());
        source.check = Some(Arc::clone(&self.check));
        source.failure_reply.clone_from(&self.failure_reply);
        Ok(source.replying_through(self.resolver.clone()))
    }

    fn runner(&self, timing: LoopTiming) -> Result<Runner<MailboxSource>, LoopError> {
        self.settings.check(timing)?;
        let (source, policy, handler) = (self.source(timing)?, self.policy()?, Arc::clone(&self.handler));
        let runner = Runner::sharing(source, handler, policy, self.settings.of_runner())?;
        let runner = runner.with_clock(Arc::clone(&self.clock));
        Ok(match self.dlq.as_ref().and_then(DlqPolicy::decision) {
            Some(decide) => runner.deciding_by(move |work, failure| decide(work, failure)),
            None => runner,
        })
    }

    fn monitor(&self) -> MutexGuard<'_, Option<RunnerMonitor>> {
        self.monitor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Loops that are a [`MailboxLoop`] with a type.
pub(super) trait TypedLoop: Send + Sync + 'static {
    fn mailbox_loop(&self) -> &MailboxLoop;
}

#[async_trait]
impl<T: TypedLoop> Runnable for T {
    fn name(&self) -> &str {
        &self.mailbox_loop().name
    }

    async fn run(&self, timing: LoopTiming) -> Result<RunReport, LoopError> {
        let this = self.mailbox_loop();
        // Before it counts as running: the watchdog looks at running loops.
        this.heartbeat.beat();
        let _mark = RunningMark::set(this)?;
        let mut stop = this.stop.subscribe();
        if stop.borrow().is_some() {
            return Ok(RunReport::default());
        }
        let running = this.runner(timing)?.start().await?;
        *this.monitor() = Some(running.monitor());
        tracing::info!(name = this.name, "loop started");
        let stopped = async move {
            // The sender lives as long as the loop.
            stop.wait_for(Option::is_some).await.ok().and_then(|within| *within).unwrap_or(Span::ZERO)
        };
        let report = running.ended_or_stopped(stopped).await;
        // The process may end now, and must not take a lease with it of a message that no handler got.
        let released = tokio::time::timeout(RELEASE_FOR, this.mailbox.in_transit().is_over()).await;
        if released.is_err() {
            tracing::warn!(name = this.name, "messages were not released in time; their leases will end");
        }
        report.ok_or_else(|| LoopError::Panicked(this.name.clone()))
    }

    fn shutdown(&self, within: Span) {
        self.mailbox_loop().stop.send_replace(Some(within));
    }

    fn is_running(&self) -> bool {
        self.mailbox_loop().is_running.load(Ordering::Acquire)
    }

    fn can_restart(&self) -> bool {
        !self.mailbox_loop().mailbox.is_closed()
    }

    fn heartbeat(&self) -> &Heartbeat {
        &self.mailbox_loop().heartbeat
    }

    fn timing(&self, group: LoopTiming) -> LoopTiming {
        self.mailbox_loop().settings.timing(group)
    }

    fn check(&self, timing: LoopTiming) -> Result<(), LoopError> {
        self.mailbox_loop().runner(timing).map(drop)
    }

    fn lease_extension(&self) -> Option<(Span, Span)> {
        let settings = &self.mailbox_loop().settings;
        Some((settings.extension, settings.extend_every))
    }

    fn dlq(&self) -> Option<DlqDepthAlarm> {
        let MailboxLoop { dlq, consumed, .. } = self.mailbox_loop();
        dlq.as_ref().and_then(DlqPolicy::alarm).or_else(|| consumed.clone())
    }

    async fn trouble(&self) -> Option<String> {
        let monitor = self.mailbox_loop().monitor().clone()?;
        let health = monitor.health().await;
        let troubles = [
            ("receiving", &health.claim_trouble),
            ("settling", &health.settle_trouble),
            ("handing letters over", &health.hand_over_trouble),
        ];
        let trouble = troubles.into_iter().find_map(|(what, trouble)| Some((what, trouble.as_ref()?)));
        match trouble {
            Some((what, trouble)) => Some(format!("{what} fails since {}: {}", trouble.since, trouble.error)),
            None if !health.is_responsive => Some("the runner does not respond".to_owned()),
            None if health.stuck > 0 => Some(format!("{} attempts were stopped and have not ended", health.stuck)),
            None => None,
        }
    }
}

/// Marks a loop as running while it exists.
struct RunningMark<'a>(&'a MailboxLoop);

impl<'a> RunningMark<'a> {
    fn set(marked: &'a MailboxLoop) -> Result<Self, LoopError> {
        if marked.is_running.swap(true, Ordering::AcqRel) {
            return Err(LoopError::AlreadyRunning(marked.name.clone()));
        }
        Ok(Self(marked))
    }
}

impl Drop for RunningMark<'_> {
    fn drop(&mut self) {
        *self.0.monitor() = None;
        self.0.is_running.store(false, Ordering::Release);
    }
}

/// The check of bodies that are a `T`, in which requests may have ids.
pub(super) fn check_of<T: DeserializeOwned>() -> BodyCheck {
    Arc::new(|body| {
        decode::<T>(body).map_err(|error| error.to_string())?;
        Ok(BodyIds::read(body))
    })
}

/// The builder method that all loops have.
macro_rules! named {
    () => {
        /// Sets the name. Default: that of the mailbox.
        #[must_use]
        pub fn named(mut self, name: impl Into<String>) -> Self {
            self.mailbox_loop.name = name.into();
            self
        }
    };
}

/// The builder methods of loops that answer requests.
macro_rules! answering {
    () => {
        /// Sets what becomes of requests that fail permanently.
        #[must_use]
        pub fn with_dlq(mut self, policy: crate::DlqPolicy) -> Self {
            self.mailbox_loop.dlq = Some(policy);
            self
        }

        #[must_use]
        pub fn with_settings(mut self, settings: crate::LoopSettings) -> Self {
            self.mailbox_loop.settings = settings;
            self
        }
    };
}

pub(super) use {answering, named};
