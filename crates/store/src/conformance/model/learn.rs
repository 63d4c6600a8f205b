//! Learns the ids in an answer.

use redrive_core::ItemId;
use redrive_model::{HandBackResult, ItemInfo, ProducedItem, Rejection};

use super::answer::Answer;
use super::compare::{Checked, learn, learn_id, learn_letter};
use super::naive::{Expected, Model, NotHandedBack, NotReinstated, Number, ProducedAs};

/// Learns the ids in an answer and returns the new ones. If the answer does not match the expectation, nothing is
/// learned: the comparison reports the difference.
pub fn learn_from(answer: &Answer, expected: &Expected, model: &mut Model) -> Checked<Vec<ItemId>> {
    let newest = model.newest;
    let mut learned = Vec::new();
    let mut of_info = |number: Number, info: &ItemInfo| -> Checked {
        learned.extend(learn(info, item(model, number), newest)?);
        Ok(())
    };
    match (answer, expected) {
        (Answer::Granted(grants), Expected::Granted(expected)) => {
            for ((_, infos), (_, numbers)) in grants.iter().zip(expected) {
                infos.iter().zip(numbers).try_for_each(|(info, number)| of_info(*number, info))?;
            }
        }
        (Answer::Items(items), Expected::Items(expected)) => {
            let both = items.iter().zip(expected).filter_map(|(info, number)| info.as_ref().zip(*number));
            both.into_iter().try_for_each(|(info, number)| of_info(number, info))?;
        }
        (Answer::Produced(produced), Expected::Produced { items, .. }) => {
            for (found, expected) in produced.items.iter().zip(items) {
                let (ProducedItem::New(id) | ProducedItem::Duplicate(id)) = found;
                if let ProducedAs::New(number) | ProducedAs::Twin(number) = expected {
                    learned.extend(learn_id(*id, item(model, *number), newest)?);
                }
            }
        }
        (Answer::Captured(captured), Expected::Captured(expected)) => {
            for (captured, expected) in captured.iter().zip(expected) {
                learn_letter(captured.letter, item(model, expected.item), newest)?;
            }
        }
        (Answer::Reinstated(reinstated), Expected::Reinstated(expected)) => {
            for both in reinstated.iter().zip(expected) {
                if let (Err(Rejection::SourceHeld { by, .. }), Err(NotReinstated::Held { by: number, .. })) = both {
                    learned.extend(learn_id(*by, item(model, *number), newest)?);
                }
            }
        }
        (Answer::HandedBack(results), Expected::HandedBack(expected)) => {
            for both in results.iter().zip(expected) {
                if let (HandBackResult::Done(id), Ok(number))
                | (HandBackResult::Duplicate(id), Err(NotHandedBack::Twin(number))) = both
                {
                    learned.extend(learn_id(*id, item(model, *number), newest)?);
                }
            }
        }
        _ => {}
    }
    Ok(learned)
}

fn item(model: &mut Model, number: Number) -> &mut super::naive::Item {
    model.items.iter_mut().find(|item| item.number == number).unwrap()
}
