//! The command line, run as a person runs it.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bed;
mod classify;
mod cycle;
mod doctor;
mod documentation;
mod environment;
mod explain;
mod items;
mod killed;
mod letters;
mod policy;
mod queue;
mod request_ids;
mod retries;
mod search;
mod serve;
mod with_opensearch;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Output, Stdio};

/// What the program printed, and how it ended.
struct Ran {
    stdout: String,
    stderr: String,
    code: i32,
}

fn redrive(arguments: &[&str]) -> Ran {
    redrive_with_input(arguments, "")
}

fn redrive_with_input(arguments: &[&str], input: &str) -> Ran {
    redrive_with_bytes(arguments, input.as_bytes())
}

fn redrive_with_bytes(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = bed::command(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(input).expect("it reads or ignores its input");
    outcome(child)
}

fn outcome(child: Child) -> Ran {
    let Output { stdout, stderr, status } = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { stdout: text(stdout), stderr: text(stderr), code: status.code().expect("it was not killed") }
}

/// A file of this test's own.
fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("a file of our own");
    path
}
