//! `redrive doctor`, on the store of a stopped server.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::redrive;
use crate::test_server::{TestServer, command, folder};

fn serve(folder: &Path, store: &str) -> Command {
    let mut serve = command(&["serve", "--listen", "127.0.0.1:0", "--data-dir", store]);
    serve.current_dir(folder);
    serve
}

/// A store with a completed item and 100 ready ones. Returns its first segment, and the offset of the completed payload.
fn store(folder: &Path) -> (PathBuf, usize) {
    let mut server = TestServer::start(serve(folder, "data"));
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["produce", "orders", "the first of all"]);
    let id = server.objects(&["lease", "orders"])[0]["id"].as_str().unwrap().to_owned();
    server.run_ok(&["complete", "orders", &id]);
    let lines: String = (0..100).map(|number| format!("order {number}\n")).collect();
    server.run_with(&["produce", "orders"], lines.as_bytes());
    assert_eq!(server.stop(), Some(0));
    let file = folder.join("data/0000000001.segment");
    let bytes = std::fs::read(&file).unwrap();
    let payload = bytes.windows(16).position(|part| part == b"the first of all").unwrap();
    (file, payload)
}

fn payloads(server: &TestServer) -> Vec<String> {
    let items = server.objects(&["items", "list", "orders", "--limit", "1000"]);
    let mut payloads: Vec<String> = items.iter().map(|item| item["payload"].as_str().unwrap().to_owned()).collect();
    payloads.sort();
    payloads
}

#[test]
fn a_store_with_a_damaged_completed_item_can_be_salvaged_and_served() {
    let folder = folder("doctor-salvage");
    let (file, payload) = store(folder.path());
    let [damaged, saved] = ["data", "saved"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let good = redrive(&["doctor", "check", &damaged]);
    assert_eq!(good.code, 0, "{}{}", good.stdout, good.stderr);
    assert!(good.stdout.ends_with("100 items are intact\n"), "{}", good.stdout);

    let mut bytes = std::fs::read(&file).unwrap();
    bytes[payload] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let bad = redrive(&["doctor", "check", &damaged]);
    assert_eq!(bad.code, 1);
    assert!(bad.stdout.contains("0000000001.segment is damaged at offset"), "{}", bad.stdout);
    assert!(bad.stderr.contains("redrive doctor salvage"), "{}", bad.stderr);

    let salvaged = redrive(&["doctor", "salvage", &damaged, &saved]).succeeded();
    let report = std::fs::read_to_string(folder.path().join("saved/salvage-report.txt")).unwrap();
    assert!(salvaged.stdout.starts_with(&report) && report.contains("is lost"), "{} and {report}", salvaged.stdout);
    assert_eq!(redrive(&["doctor", "check", &saved]).code, 0);
    assert_eq!(redrive(&["doctor", "salvage", &damaged, &saved]).code, 1, "an existing store is not overwritten");

    let mut expected: Vec<String> = (0..100).map(|number| format!("order {number}")).collect();
    expected.sort();
    assert_eq!(payloads(&TestServer::start(serve(folder.path(), "saved"))), expected);
}

#[test]
fn a_missing_segment_is_reported_by_the_doctor_and_by_the_server() {
    let folder = folder("doctor-missing");
    let (file, _) = store(folder.path());
    std::fs::remove_file(file).unwrap();
    let damaged = folder.path().join("data").to_str().unwrap().to_owned();
    let checked = redrive(&["doctor", "check", &damaged]);
    assert_eq!(checked.code, 1);
    assert!(
        checked.stdout.contains("0000000001.segment") && checked.stdout.contains("is missing"),
        "{}",
        checked.stdout
    );
    crate::outcome(serve(folder.path(), "data").spawn().unwrap()).fails(1, "is missing");
}
