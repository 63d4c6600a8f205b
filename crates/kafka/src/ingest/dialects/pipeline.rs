//! The letters of pipelines: the value is the whole letter, and its id identifies it.

use super::{DialectHeaders, Reported, noted};

pub(super) const LETTER_ID: &str = "redrive-letter-id";

pub(super) fn read<'r>(headers: &DialectHeaders<'r>) -> Reported<'r> {
    Reported {
        error_type: headers.text(&["redrive-error-type"]),
        category: headers.text(&["redrive-category"]).and_then(|category| category.parse().ok()),
        message_id: headers.text(&[LETTER_ID]),
        metadata: noted(headers, [("pipeline_failed_node", "redrive-failed-node")]),
        ..Reported::default()
    }
}
