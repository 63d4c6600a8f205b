//! A process that is killed while it appends, on the real disk.
//!
//! This cannot detect a missing sync, since the operating system keeps what a dead process wrote; the tests on the
//! simulated disk do. It shows that nothing else depends on a clean shutdown.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use redrive_journal::{RealDisk, Use};
use redrive_testkit::{folder, soak_factor};

use crate::{SMALL, batch_of, open_with};

const CHILD: &str = "REDRIVE_JOURNAL_CHILD";

/// Not a test but the process that gets killed. It prints each number that it has appended.
#[test]
fn child() {
    let Some(directory) = std::env::var_os(CHILD) else { return };
    let mut next = 0u64;
    let (mut journal, _) = open_with(Arc::new(RealDisk), &PathBuf::from(directory), SMALL, |record| {
        next = u64::from_le_bytes(record.body[..8].try_into().unwrap()) + 1;
    });
    loop {
        let mut body = next.to_le_bytes().to_vec();
        body.resize(8 + usize::try_from(next % 700).unwrap(), 7);
        journal.append(&mut batch_of(&[&body]), Use::Ordinary).unwrap();
        println!("acknowledged {next}");
        next += 1;
    }
}

#[test]
fn acknowledged_records_survive_a_kill() {
    let folder = folder("killed");
    let mut acknowledged = None;
    for round in 0..10 * soak_factor() {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::child", "--nocapture"])
            .env(CHILD, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let numbers =
            lines.map_while(Result::ok).filter_map(|line| line.rsplit_once("acknowledged ")?.1.parse::<u64>().ok());
        // Killed after a different number of acknowledgements in each round, in the middle of the next write.
        let mut numbers = numbers.skip(usize::try_from(20 + round * 7 % 50).unwrap());
        acknowledged = numbers.next().or(acknowledged);
        child.kill().unwrap();
        // Acknowledgements that it printed before it died count, too.
        acknowledged = numbers.last().or(acknowledged);
        child.wait().unwrap();

        let mut found = Vec::new();
        let (journal, _) = open_with(Arc::new(RealDisk), folder.path(), SMALL, |record| {
            found.push(u64::from_le_bytes(record.body[..8].try_into().unwrap()));
        });
        drop(journal);
        let expected: Vec<u64> = (0..found.len() as u64).collect();
        assert_eq!(found, expected, "in order, without gaps or duplicates");
        assert!(acknowledged.is_some_and(|last| last < found.len() as u64), "{acknowledged:?} of {}", found.len());
    }
}
