//! Tests that run the `redrive` program as a user does.
#![expect(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

mod audit;
#[path = "../../../client/tests/it/blank_proxy.rs"]
mod blank_proxy;
mod classify;
mod cycle;
mod doctor;
mod documentation;
mod environment;
mod examples;
mod explain;
mod help;
mod identity;
mod items;
mod killed;
mod killed_runs;
mod letters;
mod manners;
mod monitoring;
mod operators_day;
mod pages;
mod policy;
mod queue;
mod redriving_day;
mod request_ids;
mod retries;
mod routes;
mod search;
mod serve;
mod status;
mod systemd;
mod targets;
mod terminal;
mod test_server;
mod value_kinds;
mod with_kafka;
mod with_opensearch;
mod with_prometheus;
mod with_redis;
mod without_sentences;
mod wrong_values;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Output, Stdio};

use test_server::TempDir;

/// The output and the exit code of a command.
struct CommandOutput {
    stdout: String,
    stderr: String,
    code: i32,
}

impl CommandOutput {
    /// Checks that the command succeeded.
    #[track_caller]
    fn succeeded(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self
    }

    /// Checks that the command failed with this code, and that its error contains this text.
    #[track_caller]
    fn fails(&self, code: i32, error: &str) {
        assert_eq!(self.code, code, "{}", self.stderr);
        assert!(self.stderr.contains(error), "{}", self.stderr);
    }
}

fn redrive(arguments: &[&str]) -> CommandOutput {
    redrive_with_input(arguments, "")
}

fn redrive_with_input(arguments: &[&str], input: &str) -> CommandOutput {
    redrive_with_bytes(arguments, input.as_bytes())
}

fn redrive_with_bytes(arguments: &[&str], input: &[u8]) -> CommandOutput {
    let mut child = test_server::command(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(input).expect("the program reads or ignores its input");
    outcome(child)
}

fn outcome(child: Child) -> CommandOutput {
    let Output { stdout, stderr, status } = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    let code = status.code().expect("the program was not killed");
    CommandOutput { stdout: text(stdout), stderr: text(stderr), code }
}

/// Creates a file in the folder.
fn file(folder: &TempDir, name: &str, content: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a file in the folder");
    path
}
