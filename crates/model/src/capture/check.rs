//! Whether a queue takes a letter, whatever it holds.

use redrive_core::{CapturedBy, DropReason, PolicySource, Strategy};

use crate::transition::QueueRules;
use crate::{Destination, NewLetter, QueueSettings, Rejection, check_size, check_source_id};

/// Checks a letter against the settings of its queue.
pub fn check(new: &NewLetter, rules: &QueueRules<'_>) -> Result<(), Rejection> {
    check_strategy(new, rules.letters.strategy())?;
    check_source_id(&new.source_id)?;
    new.content.check()?;
    check_size(&new.content, rules.letters.letter_bytes_max)?;
    // The queue's own default may be without delays by now: such a letter waits for an operator.
    if new.policy_source != PolicySource::Default {
        rules.letters.check_policy(new.policy)?;
    }
    if new.max_retries.is_some_and(|retries| retries > QueueSettings::MAX_RETRIES_MAX) {
        return Err(Rejection::TooManyRetries);
    }
    if new.destination.len() > Destination::BYTES_MAX {
        return Err(Rejection::BadDestination { most: Destination::BYTES_MAX });
    }
    Ok(())
}

fn check_strategy(new: &NewLetter, strategy: Strategy) -> Result<(), Rejection> {
    let by = if new.context.is_automatic() { CapturedBy::Automatic } else { CapturedBy::Explicit };
    match strategy.refuses(by, new.category) {
        Some(DropReason::Disabled) => Err(Rejection::CaptureDisabled),
        Some(DropReason::SkippedByStrategy) => Err(Rejection::SkippedByStrategy { category: new.category, strategy }),
        None => Ok(()),
    }
}
