//! How long letters are kept, and where.

use serde_json::json;

use super::{advance, capture, is_there, letter, parked, serve};

#[test]
fn dlq_completed_retention_seconds_says_how_long_completed_letters_are_kept() {
    let bed = serve(&[("REDRIVE_DLQ_COMPLETED_RETENTION_SECONDS", "60")]);
    let id = capture(&bed, &[parked("s-1")]).remove(0);
    let leased = bed.objects(&["lease", "dead"]);
    bed.done(&["complete", "dead", leased[0]["id"].as_str().unwrap()]);
    advance(&bed, "59s");
    assert_eq!(letter(&bed, &id)["status"], "completed");
    advance(&bed, "1s");
    assert!(!is_there(&bed, &id));
}

#[test]
fn dlq_archive_retention_seconds_says_how_long_archived_letters_are_kept() {
    let bed = serve(&[("REDRIVE_DLQ_ARCHIVE_RETENTION_SECONDS", "60")]);
    let id = capture(&bed, &[parked("s-1")]).remove(0);
    bed.done(&["letters", "archive", "dead", id.as_str().unwrap()]);
    advance(&bed, "59s");
    assert_eq!(letter(&bed, &id)["status"], "archived");
    advance(&bed, "1s");
    assert!(!is_there(&bed, &id));
}

#[test]
fn dlq_auto_archive_exhausted_seconds_says_when_exhausted_letters_are_archived() {
    let bed = serve(&[("REDRIVE_DLQ_AUTO_ARCHIVE_EXHAUSTED_SECONDS", "60")]);
    let spent = json!({ "source_id": "s-1", "max_retries": 0, "fault": { "error": "boom" } });
    let id = capture(&bed, &[spent]).remove(0);
    advance(&bed, "59s");
    assert_eq!(letter(&bed, &id)["status"], "exhausted");
    advance(&bed, "1s");
    assert_eq!(letter(&bed, &id)["status"], "archived");
    bed.done(&["letters", "restore", "dead", id.as_str().unwrap()]);
    assert_eq!(letter(&bed, &id)["status"], "exhausted", "somebody wants to look at it");
}
