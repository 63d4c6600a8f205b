//! A loop over mailboxes of a store on the real disk, in a process that is killed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use redrive_core::Span;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_mailbox::{
    DeadLetter, DlqPolicy, LoopRequest, LoopResult, LoopSettings, LoopTiming, Mailbox, MailboxBackend, MailboxName,
    MailboxSettings, MainLoop, Progress, ReceiveSpec, ReplyResolver, Runnable, StoreMailboxes,
};
use redrive_store::Store;
use redrive_testkit::folder;
use rustix::process::{Signal, getpid, kill_process};

const DIRECTORY: &str = "REDRIVE_MAILBOX_STORE_CHILD";
/// The request whose handler kills its process.
const KILLER: &str = "kill";
const ATTEMPTS: u32 = 3;
const REQUESTS: usize = 20;
/// More than enough: each process but the last ends by one attempt at the killer.
const PROCESSES_MAX: u32 = 10;

struct Mailboxes {
    store: Arc<dyn Store>,
    requests: Arc<dyn MailboxBackend>,
    letters: Arc<dyn MailboxBackend>,
    replies: Arc<dyn MailboxBackend>,
}

impl Mailboxes {
    async fn open(directory: &Path) -> Self {
        let store: Arc<dyn Store> = Arc::new(EmbeddedStore::open(directory, &EmbeddedOptions::default()).unwrap());
        let mailboxes = StoreMailboxes::new(Arc::clone(&store));
        let open = async |name: &str, settings| {
            mailboxes.open(MailboxName::new(name).unwrap(), settings).await.unwrap() as Arc<dyn MailboxBackend>
        };
        Self {
            requests: open("requests", MailboxSettings::default()).await,
            letters: open("requests-dlq", MailboxSettings::of_letters()).await,
            replies: open("replies", MailboxSettings::default()).await,
            store,
        }
    }
}

/// Not a test: the process that is killed by its handler, or ends when there is nothing left to do.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let mailboxes = Mailboxes::open(&PathBuf::from(directory)).await;
        let resolver = ReplyResolver::builder().register(Arc::clone(&mailboxes.replies)).build();
        let requests = Mailbox::new(Arc::clone(&mailboxes.requests)).with_resolver(resolver);
        let dlq = DlqPolicy::new(Arc::clone(&mailboxes.letters)).max_delivery_count(ATTEMPTS);
        // Short: the next process waits for the end of the lease.
        let (second, extend_every) = (Span::from_secs(1), Span::from_millis(200));
        let settings = LoopSettings { extension: second, extend_every, ..LoopSettings::default() };
        let own_requests = Arc::clone(&mailboxes.requests);
        let handle = move |request: String, _: Progress| handle(request, Arc::clone(&own_requests));
        let main = Arc::new(MainLoop::new(requests, handle).with_dlq(dlq).with_settings(settings));
        let running = tokio::spawn({
            let main = Arc::clone(&main);
            async move { main.run(LoopTiming { visibility: second, wait: second }).await }
        });
        while mailboxes.requests.counts().await.unwrap().total() > 0 {
            assert!(!running.is_finished(), "{:?}", running.await);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        main.shutdown(Span::from_secs(10));
        running.await.unwrap().unwrap();
        mailboxes.store.close().await.unwrap();
    });
}

/// Writes a line at once: the process may be killed after it.
fn note(request: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n@ {request}")?;
    out.flush()
}

async fn handle(request: String, requests: Arc<dyn MailboxBackend>) -> Result<String, std::io::Error> {
    note(&request)?;
    if request == KILLER {
        // Until the request before it is settled: its result must not end with the process.
        while requests.counts().await.is_ok_and(|counts| counts.leased > 1) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        kill_process(getpid(), Signal::KILL)?;
    }
    Ok(request)
}

/// Runs a process, and returns the requests that it handled, and whether it ended by itself.
fn run(directory: &Path) -> (Vec<String>, bool) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "store_killed::child", "--nocapture"]).env(DIRECTORY, directory);
    let output = command.stderr(Stdio::inherit()).output().unwrap();
    let lines = String::from_utf8_lossy(&output.stdout);
    let handled = lines.lines().filter_map(|line| line.strip_prefix("@ ")).map(str::to_owned).collect();
    (handled, output.status.success())
}

#[tokio::test]
async fn b_a_request_that_kills_its_process_becomes_one_letter_and_no_other_is_lost() {
    let folder = folder("store-killed");
    let mailboxes = Mailboxes::open(folder.path()).await;
    let requests: Mailbox<LoopRequest<String>, LoopResult<String>> = Mailbox::new(Arc::clone(&mailboxes.requests));
    for number in 0..REQUESTS {
        let text = if number == REQUESTS / 2 { KILLER.to_owned() } else { number.to_string() };
        requests.send_expecting_reply(&LoopRequest::new(text.clone(), text), mailboxes.replies.name()).await.unwrap();
    }
    mailboxes.store.close().await.unwrap();
    drop(mailboxes);

    let (mut killers, mut processes) = (0, 0);
    loop {
        processes += 1;
        assert!(processes <= PROCESSES_MAX, "the requests do not come to an end");
        let (handled, has_ended) = run(folder.path());
        killers += handled.iter().filter(|request| *request == KILLER).count();
        if has_ended {
            break;
        }
    }
    assert_eq!((killers, processes), (ATTEMPTS as usize, ATTEMPTS + 1), "every attempt ended a process");

    let mailboxes = Mailboxes::open(folder.path()).await;
    assert_eq!(mailboxes.requests.counts().await.unwrap().total(), 0);
    let letters = mailboxes.letters.browse(None, 100).await.unwrap().messages;
    let letters: Vec<_> = letters.iter().map(|letter| DeadLetter::from_body(&letter.body).unwrap()).collect();
    let [letter] = &letters[..] else { panic!("{letters:?}") };
    assert_eq!((letter.delivery_count, letter.last_error_type.as_str()), (ATTEMPTS, "delivery_count_exceeded"));
    let mut answered = Vec::new();
    loop {
        let spec = ReceiveSpec { max_messages: 10, ..ReceiveSpec::default() };
        let replies = mailboxes.replies.receive(spec).await.unwrap();
        if replies.is_empty() {
            break;
        }
        for reply in replies {
            let result: LoopResult<String> = serde_json::from_slice(&reply.body).unwrap();
            assert_eq!(result.error.is_some(), result.request_id.as_deref() == Some(KILLER), "{result:?}");
            answered.push(result.request_id.unwrap());
            mailboxes.replies.acknowledge(&reply.handle).await.unwrap();
        }
    }
    answered.sort_unstable();
    let before = answered.len();
    answered.dedup();
    assert_eq!((answered.len(), before), (REQUESTS, REQUESTS), "one reply to each request");
    mailboxes.store.close().await.unwrap();
}
