//! Variables about retention.

use serde_json::json;

use super::{capture, exists, letter, parked, serve};

#[test]
fn dlq_completed_retention_seconds_is_the_retention_of_completed_letters() {
    let server = serve(&[("REDRIVE_DLQ_COMPLETED_RETENTION_SECONDS", "60")]);
    let id = capture(&server, &[parked("s-1")]).remove(0);
    let leased = server.objects(&["lease", "dead"]);
    server.run_ok(&["complete", "dead", leased[0]["id"].as_str().unwrap()]);
    server.advance("59s");
    assert_eq!(letter(&server, &id)["status"], "completed");
    server.advance("1s");
    assert!(!exists(&server, &id));
}

#[test]
fn dlq_archive_retention_seconds_is_the_retention_of_archived_letters() {
    let server = serve(&[("REDRIVE_DLQ_ARCHIVE_RETENTION_SECONDS", "60")]);
    let id = capture(&server, &[parked("s-1")]).remove(0);
    server.run_ok(&["letters", "archive", "dead", id.as_str().unwrap()]);
    server.advance("59s");
    assert_eq!(letter(&server, &id)["status"], "archived");
    server.advance("1s");
    assert!(!exists(&server, &id));
}

#[test]
fn dlq_auto_archive_exhausted_seconds_is_the_time_until_exhausted_letters_are_archived() {
    let server = serve(&[("REDRIVE_DLQ_AUTO_ARCHIVE_EXHAUSTED_SECONDS", "60")]);
    let exhausted = json!({ "source_id": "s-1", "max_retries": 0, "fault": { "error": "boom" } });
    let id = capture(&server, &[exhausted]).remove(0);
    server.advance("59s");
    assert_eq!(letter(&server, &id)["status"], "exhausted");
    server.advance("1s");
    assert_eq!(letter(&server, &id)["status"], "archived");
    server.run_ok(&["letters", "restore", "dead", id.as_str().unwrap()]);
    assert_eq!(letter(&server, &id)["status"], "exhausted", "a restored letter is not archived again at once");
}
