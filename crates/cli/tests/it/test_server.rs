//! A server as a child process of the test, and commands against it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

pub(crate) use redrive_testkit::{TempDir, folder};
use serde_json::json;

use crate::retries::post;
use crate::{CommandOutput, outcome};

/// The time at which the clock of a frozen server stands.
pub(crate) const NOON: &str = "2026-11-15T12:00:00Z";

/// A command without the `REDRIVE_` variables and the contexts of the environment in which the tests run.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_redrive"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("REDRIVE_")) {
        command.env_remove(name);
    }
    command.env("XDG_CONFIG_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-contexts"));
    for name in ["COLUMNS", "VISUAL", "EDITOR"] {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Creates a folder with this configuration.
pub(crate) fn folder_with(name: &str, configuration: &str) -> TempDir {
    let folder = folder(name);
    std::fs::write(folder.path().join("redrive.toml"), configuration).unwrap();
    folder
}

/// The words of a command none of whose words has a space.
pub(crate) fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().collect()
}

/// The command that starts a server in memory, with a clock that is frozen at [`NOON`].
pub(crate) fn serve_frozen() -> Command {
    let serve = ["serve", "--memory", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0", "--freeze", NOON];
    let mut serve = command(&serve);
    serve.env("REDRIVE_TEST_MODE", "true");
    serve
}

/// Compares a text with a file of `tests/snapshots`. With `REDRIVE_SNAPSHOTS=write` the file is written instead.
pub(crate) fn compare_with_snapshot(name: &str, printed: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/snapshots/{name}.txt"));
    if std::env::var("REDRIVE_SNAPSHOTS").as_deref() == Ok("write") {
        std::fs::write(&file, printed).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(printed, expected, "\n{} differs; it is\n{printed}", file.display());
}

/// A running `redrive serve`. Dropping it kills the process.
pub(crate) struct TestServer {
    pub(crate) child: Child,
    pub(crate) address: String,
    pub(crate) control: Option<String>,
    /// Must stay open: the server may write to it.
    _stdout: BufReader<ChildStdout>,
    /// Removed after the server has ended.
    _folder: Option<TempDir>,
}

impl TestServer {
    /// A server in memory, with the real clock.
    pub(crate) fn new() -> Self {
        Self::start(command(&["serve", "--memory", "--listen", "127.0.0.1:0"]))
    }

    /// A server in memory, with a clock that is frozen at [`NOON`].
    pub(crate) fn frozen() -> Self {
        Self::start(serve_frozen())
    }

    /// The same in a new folder with this configuration.
    pub(crate) fn frozen_with(name: &str, configuration: &str) -> Self {
        Self::start_in(folder_with(name, configuration), serve_frozen())
    }

    /// Advances the clock of a frozen server.
    pub(crate) fn advance(&self, duration: &str) {
        let control = self.control.as_deref().unwrap();
        assert_eq!(post(control, "test.advance", &json!({ "duration": duration })).0, 200);
    }

    pub(crate) fn start(serve: Command) -> Self {
        Self::logging(serve, Stdio::null())
    }

    /// Starts the server in this folder, which is removed with it.
    pub(crate) fn start_in(folder: TempDir, mut serve: Command) -> Self {
        serve.current_dir(folder.path());
        Self::spawn(serve, Stdio::null(), Some(folder))
    }

    /// Starts the server with its log in `log`.
    pub(crate) fn logging(serve: Command, log: Stdio) -> Self {
        Self::spawn(serve, log, None)
    }

    fn spawn(mut serve: Command, log: Stdio, folder: Option<TempDir>) -> Self {
        let mut child = serve.stderr(log).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut ready = String::new();
        stdout.read_line(&mut ready).unwrap();
        let field = |name: &str| ready.split_whitespace().find_map(|word| word.strip_prefix(name)).map(str::to_owned);
        assert!(ready.starts_with("ready api="), "the first line is {ready:?}");
        let (address, control) = (field("api=").unwrap(), field("control="));
        Self { child, address, control, _stdout: stdout, _folder: folder }
    }

    /// A command that calls this server.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.env("REDRIVE_SERVER", format!("http://{}", self.address));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> CommandOutput {
        outcome(self.command(arguments).spawn().unwrap())
    }

    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> CommandOutput {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // On a thread: a command that does not read its input must not block the test.
        let writer = std::thread::spawn(move || {
            let _unread = stdin.write_all(&input);
        });
        let ran = outcome(child);
        writer.join().unwrap();
        ran
    }

    /// Runs a command that must succeed, and returns its stdout.
    pub(crate) fn run_ok(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        ran.stdout
    }

    /// The JSON objects that a command prints, one per line.
    pub(crate) fn objects(&self, arguments: &[&str]) -> Vec<serde_json::Value> {
        let printed = self.run_ok(&[arguments, &["--output", "json"]].concat());
        printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Stops the server with SIGTERM, and returns its exit code.
    pub(crate) fn stop(&mut self) -> Option<i32> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // The process may have ended already.
        let _killed = self.child.kill();
        let _waited = self.child.wait();
    }
}

/// Creates many queues, faster than with a process for each.
pub(crate) fn create_queues(server: &str, names: &[String]) {
    use redrive_client::proto::querator::QueueInfo;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = redrive_client::Client::new(server).unwrap();
    runtime.block_on(async {
        for name in names {
            let queue = QueueInfo {
                queue_name: name.clone(),
                lease_timeout: "1m".to_owned(),
                expire_timeout: "1h".to_owned(),
                requested_partitions: 1,
                ..QueueInfo::default()
            };
            client.create_queue(&queue).await.unwrap();
        }
    });
}

/// Replaces the ids in a text by `<id-N>` placeholders of the same width, 27 characters, so that texts can be compared.
pub(crate) fn without_ids(text: &str) -> String {
    let mut known: Vec<&str> = Vec::new();
    let is_id = |word: &str| word.len() == 27 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let mut shown = text.to_owned();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| is_id(word)) {
        if !known.contains(&word) {
            known.push(word);
            shown = shown.replace(word, &format!("<id-{}>{}", known.len(), "-".repeat(21)));
        }
    }
    shown
}
