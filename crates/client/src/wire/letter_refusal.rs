//! Conversion of messages about letters into rejections.

use redrive_model::Rejection;

/// The rejection with this message; `None` if it is not about letters.
pub(super) fn letter_refusal(message: &str) -> Option<Rejection> {
    if let Some(rest) = message.strip_prefix("Dead letter queue is full (max_size=") {
        return Some(Rejection::QueueFull { max_size: rest.split(')').next()?.parse().ok()? });
    }
    if message.starts_with("letters are disabled in this queue;") {
        return Some(Rejection::CaptureDisabled);
    }
    if let Some((category, rest)) = message.split_once(" failures are not captured in this queue;") {
        let strategy = rest.rsplit(' ').next()?.parse().ok()?;
        return Some(Rejection::SkippedByStrategy { category: category.parse().ok()?, strategy });
    }
    if let Some(rest) = message.strip_prefix("letter is too large; ") {
        let (bytes, rest) = rest.split_once(' ')?;
        let (bytes, most) = (bytes.parse().ok()?, rest.rsplit(' ').next()?.parse().ok()?);
        return Some(Rejection::LetterTooLarge { bytes, most });
    }
    if let Some(rest) = message.strip_prefix("origin.replays is invalid; ") {
        let (replays, rest) = rest.split_once(' ')?;
        let (_, rest) = rest.split_once("at most ")?;
        let (replays, most) = (replays.parse().ok()?, rest.split(' ').next()?.parse().ok()?);
        return Some(Rejection::TooManyReplays { replays, most });
    }
    if let Some(rest) = message.strip_prefix("source_id '") {
        // A source id may contain quotes, an id does not.
        let (source_id, rest) = rest.rsplit_once("' is held by the live letter '")?;
        let by = rest.split('\'').next()?.parse().ok()?;
        return Some(Rejection::SourceHeld { source_id: source_id.into(), by });
    }
    if let Some(rest) = message.strip_prefix("depends_on is invalid; ") {
        return dependency_refusal(rest);
    }
    let (id, rest) = message.strip_prefix("letter '")?.split_once("' ")?;
    let letter = id.parse().ok()?;
    let (what, more) = rest.split_once("; ").unwrap_or((rest, ""));
    Some(match what {
        "does not exist" => Rejection::NoSuchLetter(letter),
        "is damaged on disk" => Rejection::LetterDamaged(letter),
        "has the same source_id and another payload" => Rejection::OtherPayload { letter },
        "is live with the same source_id" => Rejection::DuplicateLetter { letter },
        _ => {
            let status = what.strip_prefix("is ")?.parse().ok()?;
            let verb = VERBS.into_iter().find(|verb| more.strip_prefix("it cannot be ") == Some(verb))?;
            Rejection::LetterConflict { letter, status, verb }
        }
    })
}

fn dependency_refusal(text: &str) -> Option<Rejection> {
    let (before, rest) = text.split_once('\'')?;
    let (id, rest) = rest.split_once('\'')?;
    let letter = id.parse().ok()?;
    Some(match before.split_once(' ') {
        Some(("letter", _)) if rest.ends_with("would wait for itself") => Rejection::WaitsForItself(letter),
        Some(("letter", _)) => Rejection::NoSuchDependency(letter),
        Some((most, _)) => Rejection::TooManyDependents { letter, most: most.parse().ok()? },
        None => return None,
    })
}

const VERBS: [&str; 2] = ["edited", "retried"];

#[cfg(test)]
mod tests {
    use redrive_core::{Category, ItemId, Ksuid, LetterId, Status, Strategy};

    use super::{Rejection, letter_refusal};

    #[test]
    fn each_refusal_is_known_by_its_text() {
        let letter = LetterId::new(Ksuid::MAX);
        let by = ItemId::new(Ksuid::MAX);
        for refusal in [
            Rejection::NoSuchLetter(letter),
            Rejection::LetterConflict { letter, status: Status::Archived, verb: "edited" },
            Rejection::LetterConflict { letter, status: Status::Pending, verb: "retried" },
            Rejection::SourceHeld { source_id: "a'; ' is held by the live letter 'b".into(), by },
            Rejection::QueueFull { max_size: 10_000 },
            Rejection::CaptureDisabled,
            Rejection::SkippedByStrategy { category: Category::Permission, strategy: Strategy::Selective },
            Rejection::LetterTooLarge { bytes: 2_000_000, most: 1_048_576 },
            Rejection::OtherPayload { letter },
            Rejection::TooManyReplays { replays: 5, most: 2 },
            Rejection::DuplicateLetter { letter },
            Rejection::NoSuchDependency(letter),
            Rejection::WaitsForItself(letter),
            Rejection::TooManyDependents { letter, most: 100 },
        ] {
            assert_eq!(letter_refusal(&refusal.to_string()), Some(refusal));
        }
        for other in [
            "",
            "letter",
            "letter 'x' does not exist",
            "Dead letter queue is full (max_size=many)",
            "source_id is",
            "depends_on is invalid; 'x'",
        ] {
            assert_eq!(letter_refusal(other), None, "{other}");
        }
    }
}
