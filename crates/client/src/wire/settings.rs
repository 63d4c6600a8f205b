//! The settings of queues that a client sends.

use redrive_model::{LetterOverrides, QueueSettings, Rejection, RejectionFields};
use redrive_proto::querator::QueueInfo;

const NOT_SENT: &str =
    "settings are invalid; a queue is created and updated without letter settings and not paused, set both afterwards";

/// Rejects settings that the message cannot carry.
pub(crate) fn queue_info(settings: &QueueSettings) -> Result<QueueInfo, Rejection> {
    if settings.is_paused || settings.letters != LetterOverrides::default() {
        return Err(Rejection::from_parts("invalid", RejectionFields::new(), NOT_SENT));
    }
    Ok(QueueInfo::request(settings))
}
