//! What the model expects, in the store's own ids.

use redrive_core::{ItemId, LetterId};
use redrive_model::{Captured, ItemInfo, Produced, ProducedItem, Rejection};

use super::{Expected, ExpectedCapture, Model, NotReinstated, Number};
use crate::conformance::model::answer::Answer;

impl Expected {
    /// The answer in the store's words, once it is known how the store calls the items.
    pub fn in_ids(self, model: &Model) -> Answer {
        let id = |number: Number| -> ItemId { model.item(number).id() };
        let info = |number: Number| -> ItemInfo { model.item(number).info.clone() };
        match self {
            Self::Nothing => Answer::Nothing,
            Self::Count(count) => Answer::Count(count),
            Self::Position(position) => Answer::Position(position),
            Self::Settings(settings) => Answer::Settings(settings),
            Self::Produced { partition, items } => {
                let told = |(number, is_new): (Number, bool)| match is_new {
                    true => ProducedItem::New(id(number)),
                    false => ProducedItem::Duplicate(id(number)),
                };
                Answer::Produced(Produced { partition, items: items.into_iter().map(told).collect() })
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
                let captured = |told: ExpectedCapture| Captured {
                    policy: told.policy,
                    max_retries: told.max_retries,
                    letter: model.item(told.item).letter_id().unwrap_or_else(|| LetterId::new(id(told.item).ksuid())),
                    generation: told.generation,
                    status: told.status,
                    reason: told.reason,
                };
                Answer::Captured(all.into_iter().map(captured).collect())
            }
            Self::Acted(acted) => Answer::Acted(acted),
            Self::Reinstated(all) => {
                let refusal = |not_back: NotReinstated| match not_back {
                    NotReinstated::Refused(refusal) => refusal,
                    NotReinstated::Held { source_id, by } => Rejection::SourceHeld { source_id, by: id(by) },
                };
                Answer::Reinstated(all.into_iter().map(|one| one.map_err(refusal)).collect())
            }
        }
    }
}
