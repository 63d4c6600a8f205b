//! `redrive status --watch`.

use std::io::{BufRead, BufReader};
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::busy_server;
use crate::terminal;

const HOME: &str = "\u{1b}[H";
const END_OF_FRAME: &str = "\u{1b}[J";

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).unwrap();
}

#[test]
fn frames_replace_each_other_until_an_interrupt() {
    let server = busy_server();
    let mut watching = terminal::start_with_stdout(server.command(&["status", "--watch", "1"]), 40);
    watching.wait_for("\u{1b}[2J");
    let frame = watching.wait_for(END_OF_FRAME);
    assert!(frame.contains("'invoices' is paused: 1 item waiting"), "{frame}");
    server.run_ok(&["queue", "resume", "invoices"]);
    // Some frames may have been requested before the change.
    let mut frames = (0..30).map(|_| watching.wait_for(END_OF_FRAME));
    let frame = frames.find(|frame| !frame.contains("is paused")).unwrap();
    assert!(frame.starts_with(HOME) && !frame.contains("\u{1b}[2J"), "a frame is drawn over the one before: {frame:?}");
    interrupt(&watching.child);
    let (code, rest) = watching.end();
    assert_eq!(code, 130, "{rest}");
}

#[test]
fn a_frame_is_cut_to_the_height_of_the_terminal() {
    let server = busy_server();
    let mut watching = terminal::start_with_stdout(server.command(&["status", "--watch"]), 10);
    watching.wait_for(HOME);
    let frame = watching.wait_for(END_OF_FRAME);
    assert!(frame.contains(" more lines do not fit"), "{frame}");
    assert_eq!(frame.matches('\n').count(), 9, "{frame}");
    interrupt(&watching.child);
    assert_eq!(watching.end().0, 130);
}

#[test]
fn a_server_that_stops_does_not_end_the_watch() {
    let mut server = busy_server();
    let mut watching = terminal::start_with_stdout(server.command(&["status", "--watch", "1"]), 40);
    watching.wait_for(END_OF_FRAME);
    server.stop();
    let frame = watching.wait_for("these numbers are old");
    assert!(frame.contains("error: cannot connect to"), "{frame}");
    watching.wait_for("'invoices' is paused");
    interrupt(&watching.child);
    assert_eq!(watching.end().0, 130);
}

#[test]
fn as_json_an_object_is_printed_per_interval() {
    let server = busy_server();
    let mut child = server.command(&["status", "--watch", "1", "--output", "json"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    let orders = |object: &Value| {
        object["queues"].as_array().unwrap().iter().find(|queue| queue["queue_name"] == "orders").unwrap().clone()
    };
    assert_ne!(orders(&next())["in_per_minute"], 0.0);
    server.advance("6m");
    let is_old = |queue: &Value| queue["in_per_minute"] == 0.0;
    assert!((0..30).any(|_| is_old(&orders(&next()))), "what arrived six minutes ago does not count");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn without_a_terminal_a_table_cannot_be_watched() {
    let server = busy_server();
    let ran = server.run(&["status", "--watch"]);
    let expected = "error: --watch redraws a terminal, and the output is not one\n  print an object per interval with \
                    --output json, or omit --watch\n";
    assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.as_str()), (2, expected, ""));
}
