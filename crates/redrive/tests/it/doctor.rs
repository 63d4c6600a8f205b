use std::path::{Path, PathBuf};
use std::sync::Arc;

use redrive_journal::{Batch, Journal, Options, RealDisk, Use};

use crate::redrive;

fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It is not there on the first run.
    let _removed = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn a_damaged_journal_is_told_and_saved() {
    let (damaged, saved) = (directory("doctor"), directory("doctor-saved"));
    let options = Options { segment_bytes: 4096, ..Options::default() };
    let (mut journal, _) = Journal::open(Arc::new(RealDisk), &damaged, options, |_| Ok(())).unwrap();
    for number in 0..5u8 {
        let mut batch = Batch::new();
        batch.push(1, &[&[number]]).unwrap();
        journal.append(&mut batch, Use::Ordinary).unwrap();
    }
    journal.close().unwrap();
    let path = damaged.to_str().unwrap();
    let good = redrive(&["doctor", "check", path]);
    assert_eq!((good.code, good.stdout.as_str()), (0, "5 records in 1 segments can be read\n"));

    let file = damaged.join("0000000001.segment");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[40 + 72 + 60] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let bad = redrive(&["doctor", "check", path]);
    assert_eq!(bad.code, 1);
    assert!(
        bad.stdout.contains("is damaged at offset 112") && bad.stdout.contains("record 2 is lost"),
        "{}",
        bad.stdout
    );
    assert!(bad.stderr.contains("redrive doctor salvage"), "{}", bad.stderr);

    let target = saved.to_str().unwrap();
    let mended = redrive(&["doctor", "salvage", path, target]);
    assert_eq!(mended.code, 0, "{}", mended.stderr);
    assert_eq!(redrive(&["doctor", "check", target]).stdout, "4 records in 1 segments can be read\n");
    assert_eq!(redrive(&["doctor", "salvage", path, target]).code, 1, "nothing is overwritten");
}
