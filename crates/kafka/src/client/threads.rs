//! The threads of a consumer: one polls, one commits.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;

use rdkafka::ClientConfig;
use rdkafka::config::FromClientConfigAndContext;
use rdkafka::consumer::{BaseConsumer, Consumer};
use redrive_core::{Invalid, Problem, Span};

use super::commit_request::CommitRequest;
use super::committer::Committer;
use super::group::GroupContext;
use super::poll_thread::PollThread;
use super::transaction::Transactions;
use crate::dlq::PendingLetters;
use crate::gauges::Gauges;
use crate::shared::Shared;
use crate::trouble::TroubleKind;
use crate::{KafkaError, KafkaSettings};

#[derive(Debug)]
pub(crate) struct ClientThreads {
    stop: Arc<AtomicBool>,
    poller: JoinHandle<()>,
}

impl ClientThreads {
    /// Joins the group and starts to read.
    pub(crate) fn start(
        settings: &KafkaSettings,
        shared: &Arc<Shared>,
        transactional: Option<(Arc<PendingLetters>, ClientConfig)>,
    ) -> Result<Self, KafkaError> {
        let (commits, requests) = sync_channel(16);
        let context = GroupContext {
            shared: Arc::clone(shared),
            grace: settings.max_revoke_grace.into(),
            commits: commits.clone(),
            has_new_partitions: AtomicBool::new(false),
        };
        let member = BaseConsumer::from_config_and_context(&settings.consumer_config(), context)
            .map_err(|error| KafkaError::client("creating the consumer", &error))?;
        let topics: Vec<&str> = settings.topics.iter().map(String::as_str).collect();
        // The names were checked: what the client rejects is a regular expression.
        member.subscribe(&topics).map_err(|_| {
            let allowed = "names, or regular expressions that begin with ^";
            Invalid::new("topics", Problem::Malformed, topics.join(", "), allowed)
        })?;
        let member = Arc::new(member);
        let stop = Arc::new(AtomicBool::new(false));
        let transactions = transactional.map(|(letters, config)| {
            Transactions::new(Arc::clone(shared), config, settings.dlq_delivery_timeout.into(), letters)
        });
        let committer = Committer {
            member: Arc::clone(&member),
            shared: Arc::clone(shared),
            interval: settings.commit_interval.into(),
            requests,
            transactions,
            gauges: Gauges::new(&settings.group_id),
            blocking_warn: Span::from_secs(settings.blocking_warn_seconds),
            warned: BTreeSet::new(),
        };
        let committer = spawn("kafka-commit", shared, || committer.run())?;
        let poll = PollThread::new(member, Arc::clone(shared), settings, Arc::clone(&stop));
        // The member is dropped on the thread that polls it, after its last commit.
        let poller = spawn("kafka-poll", shared, move || {
            let member = poll.run();
            // Fails only if the committer has ended, which is then reported.
            let _is_sent = commits.send(CommitRequest::Stop);
            let _has_ended = committer.join();
            drop(member);
        })?;
        Ok(Self { stop, poller })
    }

    pub(crate) fn is_alive(&self) -> bool {
        !self.poller.is_finished()
    }

    /// Lets the threads end without waiting for them.
    pub(crate) fn stop_later(self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Commits what is done, and leaves the group.
    pub(crate) fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        let _has_ended = self.poller.join();
    }
}

/// Starts a thread. If it panics, the consumer reports a fatal trouble.
fn spawn(name: &str, shared: &Arc<Shared>, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, KafkaError> {
    let shared = Arc::clone(shared);
    let thread = std::thread::Builder::new().name(name.to_owned());
    let name = name.to_owned();
    thread
        .spawn(move || {
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
            if ended.is_err() {
                tracing::error!(thread = name, "a thread of the consumer has failed");
                shared.troubles.set(TroubleKind::Fatal, format!("the thread {name} failed"), shared.clock.now());
                shared.available.notify_waiters();
            }
        })
        .map_err(KafkaError::Thread)
}
