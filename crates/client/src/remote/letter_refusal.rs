//! What a server refused about letters, in the words of the store that it came from.

use redrive_core::LetterId;
use redrive_queue::Refusal;

use super::item::item_id;

/// The refusal that has this text; `None` for one that is not about letters.
pub(super) fn letter_refusal(message: &str) -> Option<Refusal> {
    if let Some(rest) = message.strip_prefix("Dead letter queue is full (max_size=") {
        return Some(Refusal::QueueFull { max_size: rest.split(')').next()?.parse().ok()? });
    }
    if message.starts_with("letters are disabled in this queue;") {
        return Some(Refusal::CaptureDisabled);
    }
    if let Some((category, rest)) = message.split_once(" failures are not captured in this queue;") {
        let strategy = rest.rsplit(' ').next()?.parse().ok()?;
        return Some(Refusal::SkippedByStrategy { category: category.parse().ok()?, strategy });
    }
    if let Some(rest) = message.strip_prefix("letter is too large; ") {
        let (bytes, rest) = rest.split_once(' ')?;
        let (bytes, most) = (bytes.parse().ok()?, rest.rsplit(' ').next()?.parse().ok()?);
        return Some(Refusal::LetterTooLarge { bytes, most });
    }
    if let Some(rest) = message.strip_prefix("source_id '") {
        // Whatever the source id has in it, an id has no quotes.
        let (source_id, rest) = rest.rsplit_once("' is held by the live letter '")?;
        let by = item_id(rest.split('\'').next()?)?;
        return Some(Refusal::SourceHeld { source_id: source_id.into(), by });
    }
    if let Some(rest) = message.strip_prefix("depends_on is invalid; ") {
        return dependency_refusal(rest);
    }
    let (id, rest) = message.strip_prefix("letter '")?.split_once("' ")?;
    let letter = LetterId::new(id.parse().ok()?);
    let (what, more) = rest.split_once("; ").unwrap_or((rest, ""));
    Some(match what {
        "does not exist" => Refusal::NoSuchLetter(letter),
        "has the same source_id and another payload" => Refusal::OtherPayload { letter },
        "is live with the same source_id" => Refusal::DuplicateLetter { letter },
        _ => {
            let status = what.strip_prefix("is ")?.parse().ok()?;
            let verb = VERBS.into_iter().find(|verb| more.strip_prefix("it cannot be ") == Some(verb))?;
            Refusal::LetterConflict { letter, status, verb }
        }
    })
}

fn dependency_refusal(told: &str) -> Option<Refusal> {
    let (before, rest) = told.split_once('\'')?;
    let (id, rest) = rest.split_once('\'')?;
    let letter = LetterId::new(id.parse().ok()?);
    Some(match before.split_once(' ') {
        Some(("letter", _)) if rest.ends_with("would wait for itself") => Refusal::WaitsForItself(letter),
        Some(("letter", _)) => Refusal::NoSuchDependency(letter),
        Some((most, _)) => Refusal::TooManyDependents { letter, most: most.parse().ok()? },
        None => return None,
    })
}

const VERBS: [&str; 2] = ["edited", "retried"];

#[cfg(test)]
mod tests {
    use redrive_core::{Category, ItemId, Ksuid, Status, Strategy};

    use super::{LetterId, Refusal, letter_refusal};

    #[test]
    fn each_refusal_is_known_by_its_text() {
        let letter = LetterId::new(Ksuid::MAX);
        let by = ItemId::new(Ksuid::MAX);
        for refusal in [
            Refusal::NoSuchLetter(letter),
            Refusal::LetterConflict { letter, status: Status::Archived, verb: "edited" },
            Refusal::LetterConflict { letter, status: Status::Pending, verb: "retried" },
            Refusal::SourceHeld { source_id: "a'; ' is held by the live letter 'b".into(), by },
            Refusal::QueueFull { max_size: 10_000 },
            Refusal::CaptureDisabled,
            Refusal::SkippedByStrategy { category: Category::Permission, strategy: Strategy::Selective },
            Refusal::LetterTooLarge { bytes: 2_000_000, most: 1_048_576 },
            Refusal::OtherPayload { letter },
            Refusal::DuplicateLetter { letter },
            Refusal::NoSuchDependency(letter),
            Refusal::WaitsForItself(letter),
            Refusal::TooManyDependents { letter, most: 100 },
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
