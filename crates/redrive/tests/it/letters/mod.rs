//! `redrive letters`.

mod bulk;
mod by_hand;
mod capture;
mod configure;
mod export;
mod list;
mod retry;
mod show;
mod stats;
mod templates;

use serde_json::Value;

use crate::bed::Bed;

pub(crate) const UNKNOWN: &str = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";

/// A server with a dead queue, at noon.
fn with_dead() -> Bed {
    let bed = Bed::frozen();
    bed.done(&["queue", "create", "dead"]);
    bed
}

/// Captures a failure that will pass; the id of its letter.
fn capture(bed: &Bed, source_id: &str) -> String {
    captured(bed, &["payload of it", "--source-id", source_id, "--error", "HTTP 503 Service Unavailable"])
}

fn captured(bed: &Bed, arguments: &[&str]) -> String {
    let made = bed.objects(&[&["letters", "capture", "dead"], arguments].concat());
    made[0]["id"].as_str().unwrap().to_owned()
}

fn show(bed: &Bed, id: &str) -> Value {
    bed.objects(&["letters", "show", "dead", id]).remove(0)
}
