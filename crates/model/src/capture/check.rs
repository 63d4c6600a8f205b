//! Checks of a new letter that do not depend on the contents of its queue.

use redrive_core::PolicySource;

use crate::transition::QueueRules;
use crate::{Destination, MetadataSize, NewLetter, QueueSettings, Rejection, check_size, check_source_id};

/// Checks a letter against the settings of its queue.
pub fn check(new: &NewLetter, rules: &QueueRules<'_>) -> Result<(), Rejection> {
    check_source_id(&new.source_id)?;
    new.content.check()?;
    check_size(&new.content, rules.letters.letter_bytes_max)?;
    MetadataSize::of(&new.context.metadata).check()?;
    // The default policy of the queue may have lost its custom delays: such a letter waits for an operator.
    if new.policy_source != PolicySource::Default {
        rules.letters.check_policy(new.policy)?;
    }
    if new.max_retries > QueueSettings::MAX_RETRIES_MAX {
        return Err(Rejection::TooManyRetries);
    }
    if new.destination.len() > Destination::BYTES_MAX {
        return Err(Rejection::BadDestination { most: Destination::BYTES_MAX });
    }
    Ok(())
}
