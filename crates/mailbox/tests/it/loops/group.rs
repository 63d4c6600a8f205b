//! Groups of loops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use redrive_core::Span;
use redrive_mailbox::conformance::FaultyMailbox;
use redrive_mailbox::{
    DlqConsumer, GroupError, GroupReport, GroupSettings, Heartbeat, LetterAction, LoopError, LoopGroup, LoopSettings,
    LoopTiming, Mailbox, MailboxSettings, MainLoop, NewMessage, OnLoopEnd, ReplyResolver, Runnable, TimingError,
    WatchdogSettings,
};
use redrive_run::RunReport;
use redrive_store::SystemClock;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::fixture::{LoopFixture, Mailboxes, browse, name, settled, until};

fn settings() -> GroupSettings {
    GroupSettings { handles_signals: false, watchdog: None, ..GroupSettings::default() }
}

pub(super) type RunningGroup = JoinHandle<Result<GroupReport, GroupError>>;

pub(super) fn run(group: &LoopGroup) -> RunningGroup {
    let group = group.clone();
    tokio::spawn(async move { group.run().await })
}

async fn ended(running: RunningGroup) -> GroupReport {
    tokio::time::timeout(Duration::from_secs(30), running).await.unwrap().unwrap().unwrap()
}

/// A loop that does as the test says.
struct ControlledLoop {
    name: String,
    heartbeat: Heartbeat,
    end: Notify,
    is_running: AtomicBool,
    runs: AtomicU32,
    /// Whether it ends at a shutdown.
    stops: bool,
    was_signalled: AtomicBool,
}

impl ControlledLoop {
    fn new(name: &str) -> Arc<Self> {
        Self::that_stops(name, true)
    }

    fn that_stops(name: &str, stops: bool) -> Arc<Self> {
        Arc::new(Self {
            name: name.to_owned(),
            heartbeat: Heartbeat::new(Arc::new(SystemClock)),
            end: Notify::new(),
            is_running: AtomicBool::new(false),
            runs: AtomicU32::new(0),
            stops,
            was_signalled: AtomicBool::new(false),
        })
    }

    async fn until_runs(&self, runs: u32) {
        until("a run", async || self.runs.load(Ordering::Relaxed) == runs && self.is_running()).await;
    }
}

#[async_trait]
impl Runnable for ControlledLoop {
    fn name(&self) -> &str {
        &self.name
    }

    async fn run(&self, _: LoopTiming) -> Result<RunReport, LoopError> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        self.is_running.store(true, Ordering::Relaxed);
        self.end.notified().await;
        self.is_running.store(false, Ordering::Relaxed);
        if self.was_signalled.load(Ordering::Relaxed) {
            return Ok(RunReport::default());
        }
        Err(LoopError::Panicked(self.name.clone()))
    }

    fn shutdown(&self, _: Span) {
        self.was_signalled.store(true, Ordering::Relaxed);
        if self.stops {
            self.end.notify_one();
        }
    }

    fn is_running(&self) -> bool {
        self.is_running.load(Ordering::Relaxed)
    }

    fn heartbeat(&self) -> &Heartbeat {
        &self.heartbeat
    }
}

#[tokio::test]
async fn the_death_of_the_third_loop_is_noticed_while_the_others_run() {
    let loops = [ControlledLoop::new("1"), ControlledLoop::new("2"), ControlledLoop::new("3")];
    let mut group = LoopGroup::new(GroupSettings {
        on_loop_end: OnLoopEnd::Restart { delay: Span::from_millis(10), delay_max: Span::from_millis(20) },
        ..settings()
    });
    for one in &loops {
        group = group.with_shared(Arc::clone(one) as Arc<dyn Runnable>);
    }
    let running = run(&group);
    for one in &loops {
        one.until_runs(1).await;
    }
    for restart in 2..=4 {
        loops[2].end.notify_one();
        loops[2].until_runs(restart).await;
    }
    assert_eq!(loops[0].runs.load(Ordering::Relaxed), 1);
    group.shutdown_signal().give();
    let report = ended(running).await;
    assert_eq!(report.loops.iter().map(|one| one.restarts).collect::<Vec<_>>(), [0, 0, 3]);
    assert_eq!(report.loops[2].error.as_deref(), Some("the runner of loop '3' panicked"));
    assert_eq!(report.missed(), [""; 0]);
}

#[tokio::test]
async fn the_death_of_a_loop_may_end_the_group() {
    let loops = [ControlledLoop::new("1"), ControlledLoop::new("2")];
    let mut group = LoopGroup::new(GroupSettings { on_loop_end: OnLoopEnd::EndGroup, ..settings() });
    for one in &loops {
        group = group.with_shared(Arc::clone(one) as Arc<dyn Runnable>);
    }
    let running = run(&group);
    loops[0].until_runs(1).await;
    loops[1].until_runs(1).await;
    loops[1].end.notify_one();
    let report = ended(running).await;
    assert!(report.loops[1].error.is_some() && loops[0].was_signalled.load(Ordering::Relaxed));
}

#[tokio::test]
async fn a_group_ends_when_the_mailboxes_of_all_loops_are_closed() {
    let fixture = LoopFixture::new();
    let main = Arc::new(fixture.main_loop(&fixture.mailboxes));
    let group = LoopGroup::new(settings()).with_shared(Arc::clone(&main) as Arc<dyn Runnable>);
    let running = run(&group);
    until("a running loop", async || main.is_running()).await;
    fixture.mailboxes.requests.close();
    assert_eq!(ended(running).await.missed(), [""; 0]);
}

/// Every loop gets the signal before any is awaited, and a stuck one costs the others nothing but the one deadline.
#[tokio::test]
async fn f_a_stuck_loop_keeps_no_other_from_being_told_and_is_named() {
    let loops = [
        ControlledLoop::that_stops("stuck", false),
        ControlledLoop::new("b"),
        ControlledLoop::that_stops("also stuck", false),
    ];
    let fixture = LoopFixture::new();
    let idle = Arc::new(fixture.main_loop(&fixture.mailboxes));
    let shutdown_timeout = Span::from_millis(500);
    let mut group = LoopGroup::new(GroupSettings { shutdown_timeout, ..settings() });
    for one in &loops {
        group = group.with_shared(Arc::clone(one) as Arc<dyn Runnable>);
    }
    let group = group.with_shared(Arc::clone(&idle) as Arc<dyn Runnable>);
    let running = run(&group);
    for one in &loops {
        one.until_runs(1).await;
    }
    until("a running loop", async || idle.is_running()).await;
    let begin = Instant::now();
    group.shutdown_signal().give();
    until("the end of the others", async || !loops[1].is_running() && !idle.is_running()).await;
    let report = ended(running).await;
    assert!(begin.elapsed() >= Duration::from_millis(500));
    assert_eq!(report.missed(), ["stuck", "also stuck"]);
    assert!(loops.iter().all(|one| one.was_signalled.load(Ordering::Relaxed)));
}

/// Receives wait for 30 s; the best of some tries counts, because the machine may be busy.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn f_loops_in_long_polls_end_within_200_ms() {
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let fixture = LoopFixture::new();
        let mut group = LoopGroup::new(settings());
        let mut loops = Vec::new();
        for number in 0..8 {
            let requests = fixture.memory.open(name(&format!("requests {number}")), MailboxSettings::default());
            let mailboxes = Mailboxes { requests, ..fixture.mailboxes.clone() };
            let one = Arc::new(fixture.main_loop(&mailboxes).with_dlq(fixture.dlq()));
            loops.push(Arc::clone(&one));
            group = group.with_shared(one);
        }
        let running = run(&group);
        for one in &loops {
            until("a running loop", async || one.is_running()).await;
        }
        settled().await;
        let begin = Instant::now();
        group.shutdown_signal().give();
        assert_eq!(ended(running).await.missed(), [""; 0]);
        best = best.min(begin.elapsed());
    }
    assert!(best <= Duration::from_millis(200), "{best:?}");
}

/// A handler that does not end in time is stopped; its loop is named, and its message is delivered again.
#[tokio::test]
async fn a_handler_that_does_not_end_in_time_is_stopped_and_its_loop_named() {
    let fixture = LoopFixture::with_request("long").await;
    let started = Arc::new(Notify::new());
    let starting = Arc::clone(&started);
    let requests: super::fixture::Requests = redrive_mailbox::Mailbox::new(Arc::clone(&fixture.mailboxes.requests));
    let resolver = redrive_mailbox::ReplyResolver::builder().register(Arc::clone(&fixture.mailboxes.replies)).build();
    let main = redrive_mailbox::MainLoop::new(requests.with_resolver(resolver), move |_: String, _| {
        starting.notify_one();
        std::future::pending::<Result<String, std::io::Error>>()
    });
    let shutdown_timeout = Span::from_millis(400);
    let group = LoopGroup::new(GroupSettings { shutdown_timeout, ..settings() }).with(main);
    let running = run(&group);
    started.notified().await;
    group.shutdown_signal().give();
    let report = ended(running).await;
    assert_eq!(report.missed(), ["requests"]);
    assert_eq!(report.loops[0].report.unwrap().aborted, 1);
    assert_eq!(fixture.mailboxes.requests.counts().await.unwrap().pending, 1, "it is settled, and available at once");
}

/// Messages that did not reach the handler keep their count: rolling deploys must not use up attempts.
#[tokio::test]
async fn messages_that_were_not_started_keep_their_count_at_a_shutdown() {
    let fixture = LoopFixture::new();
    for round in 0..8 {
        let started = Arc::new(Notify::new());
        let (starting, release) = (Arc::clone(&started), Arc::new(Notify::new()));
        let waiting = Arc::clone(&release);
        let main = fixture.loop_of(&fixture.mailboxes, move |_, _| {
            let waiting = Arc::clone(&waiting);
            starting.notify_one();
            async move {
                waiting.notified().await;
                Ok(String::new())
            }
        });
        fixture.request(&format!("runs {round}")).await;
        fixture.request(&format!("waits {round}")).await;
        let running = super::fixture::start(main);
        started.notified().await;
        running.runnable.shutdown(Span::from_secs(10));
        release.notify_one();
        running.task.await.unwrap().unwrap();
    }
    assert!(browse(&fixture.mailboxes.requests).await.iter().all(|message| message.delivery_count == 0));
}

/// Its own visibility, not the 1800 s of the group: without heartbeats, the letter is visible again after 300 s.
#[tokio::test]
async fn a_consumer_in_a_group_keeps_its_own_visibility() {
    let fixture = LoopFixture::new();
    let letters = &fixture.mailboxes.letters;
    fixture.send_raw(b"1", None).await;
    let got = super::fixture::receive_one(&fixture.mailboxes.requests).await;
    let letter = redrive_mailbox::DeadLetter::new(&name("requests"), &got, "no", "quota".to_owned(), got.enqueued_at);
    letters.send(letter.to_message(&name("requests")).unwrap()).await.unwrap();
    let consumer = DlqConsumer::on_clock(Arc::clone(letters), Arc::new(fixture.clock.clone()), |_, _| {
        std::future::pending::<Result<LetterAction, std::io::Error>>()
    });
    // Extensions are shorter than the lease, and therefore without effect.
    let short = LoopSettings {
        extension: Span::from_secs(2),
        extend_every: Span::from_secs(1),
        ..DlqConsumer::default_settings()
    };
    let group = LoopGroup::new(settings()).with(consumer.with_settings(short));
    let running = run(&group);
    until("a leased letter", async || letters.counts().await.unwrap().leased == 1).await;
    settled().await;
    fixture.clock.advance(Span::from_secs(299));
    settled().await;
    assert_eq!(browse(letters).await[0].delivery_count, 1);
    fixture.clock.advance(Span::from_secs(2));
    until("another delivery", async || browse(letters).await[0].delivery_count == 2).await;
    group.shutdown_signal().give();
    running.abort();
}

/// The process may end as soon as the group has: what it holds would stay leased, and its delivery counted.
#[tokio::test]
async fn a_message_that_was_received_and_not_started_is_released_before_the_group_ends() {
    let fixture = LoopFixture::new();
    let faulty = Arc::new(FaultyMailbox::new(Arc::clone(&fixture.mailboxes.requests)));
    faulty.delay_releases(Duration::from_millis(300));
    let resolver = ReplyResolver::builder().factory(|_| Box::pin(std::future::pending())).allow_prefix("").build();
    let requests = Mailbox::new(faulty).with_resolver(resolver);
    let main = MainLoop::on_clock(requests, Arc::new(fixture.clock.clone()), |request: String, _| async move {
        Ok::<_, std::io::Error>(request)
    });
    fixture.request("a").await;
    let group = LoopGroup::new(settings()).with(main);
    let running = run(&group);
    let requests = &fixture.mailboxes.requests;
    until("a receive", async || requests.counts().await.unwrap().leased == 1).await;
    group.shutdown_signal().give();
    let report = ended(running).await;
    assert!(report.missed().is_empty());
    assert_eq!(requests.counts().await.unwrap().pending, 1, "it is released");
    assert_eq!(browse(requests).await[0].delivery_count, 0);
}

#[tokio::test]
async fn a_group_that_cannot_work_does_not_start() {
    let fixture = LoopFixture::new();
    let main = || fixture.main_loop(&fixture.mailboxes);
    assert!(matches!(LoopGroup::new(settings()).run().await, Err(GroupError::Empty)));
    let twice = LoopGroup::new(settings()).with(main()).with(main());
    assert!(matches!(twice.run().await, Err(GroupError::SameName(name)) if name == "requests"));
    let with_watchdog = GroupSettings { handles_signals: false, ..GroupSettings::default() };
    let short = LoopSettings { extension: Span::from_secs(840), ..LoopSettings::default() };
    let error = LoopGroup::new(with_watchdog).with(main().with_settings(short)).run().await.unwrap_err();
    assert!(matches!(error, GroupError::LoopTiming { source: TimingError::Extension { .. }, .. }), "{error}");
    // Its receives return rarely: an idle loop would have no heartbeat for longer than the watchdog waits.
    let patient = LoopSettings { wait: Some(Span::from_mins(15)), ..LoopSettings::default() };
    let with_watchdog = GroupSettings { handles_signals: false, ..GroupSettings::default() };
    let error = LoopGroup::new(with_watchdog).with(main().with_settings(patient)).run().await.unwrap_err();
    assert!(matches!(error, GroupError::LoopTiming { source: TimingError::ReadinessTooShort { .. }, .. }), "{error}");
    // No restart makes these settings valid.
    let invalid = LoopGroup::new(settings()).with(main().with_dlq(fixture.dlq().max_delivery_count(0)));
    let started = tokio::time::timeout(Duration::from_secs(5), invalid.run()).await.expect("it does not start");
    assert!(matches!(started, Err(GroupError::Loop { name, .. }) if name == "requests"));
    let spinning = WatchdogSettings { interval: Span::ZERO, ..WatchdogSettings::default() };
    let spinning = GroupSettings { watchdog: Some(spinning), ..settings() };
    let error = LoopGroup::new(spinning).with(main()).run().await.unwrap_err();
    assert!(matches!(error, GroupError::Timing(TimingError::WatchdogIntervalZero)), "{error}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let health = GroupSettings { health_address: Some(taken.local_addr().unwrap()), ..settings() };
    assert!(matches!(LoopGroup::new(health).with(main()).run().await, Err(GroupError::Health { .. })));
    fixture.mailboxes.requests.send(NewMessage::new("1")).await.unwrap();
    settled().await;
    assert_eq!(fixture.mailboxes.requests.counts().await.unwrap().pending, 1, "no loop was started");
}
