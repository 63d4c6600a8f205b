//! Converts the model's item numbers into the store's ids.

use redrive_core::{ItemId, LetterId};
use redrive_model::{Captured, HandBackResult, ItemInfo, Produced, ProducedItem, Rejection};

use super::{Expected, ExpectedCapture, Model, NotHandedBack, NotReinstated, Number, ProducedAs};
use crate::conformance::model::answer::Answer;

impl Expected {
    /// The expected answer with the store's ids, which must be known by now.
    pub fn in_ids(self, model: &Model) -> Answer {
        let id = |number: Number| -> ItemId { model.item(number).id() };
        let info = |number: Number| -> ItemInfo { model.item(number).info.clone() };
        match self {
            Self::Nothing => Answer::Nothing,
            Self::Count(count) => Answer::Count(count),
            Self::Position(position) => Answer::Position(position),
            Self::Settings(settings) => Answer::Settings(settings),
            Self::Produced { partition, items } => {
                let produced = |item: ProducedAs| match item {
                    ProducedAs::New(number) => ProducedItem::New(id(number)),
                    ProducedAs::Twin(number) => ProducedItem::Duplicate(id(number)),
                    ProducedAs::Remembered(id) => ProducedItem::Duplicate(id),
                };
                Answer::Produced(Produced { partition, items: items.into_iter().map(produced).collect() })
            }
            Self::AsBefore(produced) => Answer::Produced(produced),
            Self::Granted(grants) => {
                let grant = |(partition, items): (u32, Vec<Number>)| (partition, items.into_iter().map(info).collect());
                Answer::Granted(grants.into_iter().map(grant).collect())
            }
            Self::Deadlines(deadlines) => Answer::Deadlines(deadlines),
            Self::Settled(settled) => Answer::Settled(settled),
            Self::Items(items) => Answer::Items(items.into_iter().map(|number| number.map(info)).collect()),
            Self::Captured(all) => {
                let captured = |expected: ExpectedCapture| Captured {
                    policy: expected.policy,
                    max_retries: expected.max_retries,
                    letter: model
                        .item(expected.item)
                        .letter_id()
                        .unwrap_or_else(|| LetterId::new(id(expected.item).ksuid())),
                    generation: expected.generation,
                    status: expected.status,
                    reason: expected.reason,
                };
                Answer::Captured(all.into_iter().map(captured).collect())
            }
            Self::Acted(acted) => Answer::Acted(acted),
            Self::HandedBack(all) => {
                let result = |one: Result<Number, NotHandedBack>| match one {
                    Ok(number) => HandBackResult::Done(id(number)),
                    Err(NotHandedBack::Twin(number)) => HandBackResult::Duplicate(id(number)),
                    Err(NotHandedBack::Because(result)) => result,
                };
                Answer::HandedBack(all.into_iter().map(result).collect())
            }
            Self::Reinstated(all) => {
                let into_rejection = |not_back: NotReinstated| match not_back {
                    NotReinstated::Rejected(rejection) => rejection,
                    NotReinstated::Held { source_id, by } => Rejection::SourceHeld { source_id, by: id(by) },
                };
                Answer::Reinstated(all.into_iter().map(|one| one.map_err(into_rejection)).collect())
            }
        }
    }
}
