//! Processes that a watchdog or a signal ends.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use redrive_core::Span;
use redrive_mailbox::{
    GroupSettings, LoopGroup, LoopRequest, LoopResult, LoopSettings, LoopTiming, Mailbox, MailboxSettings, MainLoop,
    MemoryMailboxes, Progress, Runnable, WatchdogSettings,
};
use redrive_store::SystemClock;
use rustix::process::{Pid, Signal, kill_process};

use super::fixture::name;

const TASK: &str = "REDRIVE_LOOPS_CHILD";

const fn millis(millis: u64) -> Span {
    Span::from_millis(millis)
}

/// The shortest times that satisfy all inequalities.
fn settings() -> GroupSettings {
    GroupSettings {
        timing: LoopTiming { visibility: millis(2000), wait: millis(100) },
        max_gap: millis(200),
        readiness: millis(400),
        watchdog: Some(WatchdogSettings { threshold: millis(500), interval: millis(50) }),
        ..GroupSettings::default()
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n@ {line}").unwrap();
    out.flush().unwrap();
}

/// Not a test: the process that ends.
#[test]
fn child() {
    let Ok(task) = std::env::var(TASK) else { return };
    if task.ends_with("full log") {
        fill_standard_error();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let memory = MemoryMailboxes::new(Arc::new(SystemClock));
        let requests = memory.open(name("requests"), MailboxSettings::default());
        let requests: Mailbox<LoopRequest<String>, LoopResult<String>> = Mailbox::new(requests);
        if task.starts_with("hang") {
            requests.send(&LoopRequest::new("1", "hang".to_owned())).await.unwrap();
        }
        let extensions = LoopSettings { extension: millis(1000), extend_every: millis(100), ..LoopSettings::default() };
        let main = Arc::new(MainLoop::new(requests, handle).with_settings(extensions));
        let group = LoopGroup::new(settings()).with_shared(Arc::clone(&main) as Arc<dyn Runnable>);
        group.shutdown_signal().on_shutdown(|| say("callback"));
        tokio::spawn(async move {
            while !main.is_running() {
                tokio::task::yield_now().await;
            }
            say("running");
        });
        let report = group.run().await.unwrap();
        say(&format!("ended {:?}", report.missed()));
    });
}

/// Writes until the pipe is full. The thread that finds it full keeps the lock, as a logger does.
fn fill_standard_error() {
    let (tx, rx) = std::sync::mpsc::sync_channel(1);
    std::thread::spawn(move || {
        let mut err = std::io::stderr().lock();
        tx.send(()).unwrap();
        while err.write_all(&[b'.'; 4096]).is_ok() {}
    });
    rx.recv().unwrap();
}

/// Blocks the only thread of the runtime: nothing but another thread can end this.
#[expect(clippy::infinite_loop, reason = "a handler that hangs")]
async fn handle(_request: String, _: Progress) -> Result<String, std::io::Error> {
    say("hanging");
    loop {
        std::thread::park();
    }
}

fn start(task: &str) -> (Child, impl Iterator<Item = String>) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "loops::child::child", "--nocapture"]).env(TASK, task);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    (child, lines.filter_map(|line| line.strip_prefix("@ ").map(str::to_owned)))
}

#[test]
fn the_watchdog_kills_a_process_whose_handler_blocks_its_thread() {
    let (mut child, mut lines) = start("hang");
    assert!(lines.any(|line| line == "hanging"));
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(Signal::KILL.as_raw()), "{status}");
}

/// Nothing reads what the process writes, or the reader is gone: that may be why it hangs.
#[test]
fn the_watchdog_kills_a_process_whose_log_blocks_or_is_closed() {
    for task in ["hang with a full log", "hang with a closed log"] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "loops::child::child", "--nocapture"]).env(TASK, task);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        assert!(lines.any(|line| line == "@ hanging"));
        // The pipe stays, and is not read.
        let stderr = child.stderr.take();
        let stderr = if task.ends_with("closed log") { None } else { stderr };
        let status = child.wait().unwrap();
        drop(stderr);
        assert_eq!(status.signal(), Some(Signal::KILL.as_raw()), "{task}: {status}");
    }
}

#[test]
fn a_signal_shuts_the_group_down_and_calls_back() {
    for signal in [Signal::TERM, Signal::INT] {
        let (mut child, mut lines) = start("wait");
        assert!(lines.any(|line| line == "running"));
        kill_process(Pid::from_child(&child), signal).unwrap();
        let rest: Vec<String> = lines.collect();
        assert_eq!(rest, ["callback", "ended []"]);
        assert!(child.wait().unwrap().success());
    }
}
