//! Operations that add or change items.

use redrive_core::{Priority, QueueName, Span, Time};
use redrive_model::transition::{Transition, complete_letter, extend, lease, produced};
use redrive_model::{
    EndReason, Event, Extend, Item, ItemInfo, Lease, LeaseSpec, NewItem, OnRejected, Phase, Produce, ProducedItem,
    Settle, SettleAction, StoredItem,
};

use super::specimens::{BRIEF, NOW, make};
use super::{RuleModel, as_item};
use crate::conformance::fixture::StoreFixture;
use crate::conformance::samples::{HOUR, MINUTE};

pub(in crate::conformance) async fn a_produce_is_the_rule(fixture: &StoreFixture) {
    let (queues, mut model) = make(fixture).await;
    let mut items = Vec::new();
    let times = [
        ("", None),
        (" in the past", Some(NOW.saturating_sub(HOUR))),
        (" soon", Some(after(Span::from_micros(99_999)))),
    ];
    let later = [(" in a moment", Some(after(Span::from_millis(100)))), (" later", Some(after(HOUR)))];
    for (when, enqueue_at) in times.into_iter().chain(later) {
        for (how, expire_after) in
            [("", None), (", expiring at once", Some(Span::ZERO)), (", never expiring", Some(Span::MAX))]
        {
            items.push(NewItem { enqueue_at, expire_after, ..NewItem::of_payload(format!("new{when}{how}")) });
        }
    }
    items.push(NewItem { priority: Priority::High, ..NewItem::of_payload("new, urgent") });
    items.push(NewItem { message_id: Some("a name".into()), ..NewItem::of_payload("new, named") });
    let twin = NewItem { message_id: Some("a name".into()), ..NewItem::of_payload("new, named again") };

    let all = items.iter().cloned().chain([twin]).collect();
    let reply = fixture.store().produce(Produce::new(queues.orders.clone(), all)).await.unwrap();
    assert_eq!((reply.partition, reply.items.len()), (0, items.len() + 1));
    let Some(ProducedItem::Duplicate(of)) = reply.items.last().copied() else { panic!("{reply:?}") };
    let number = model.number(&queues.orders);
    for (mut new, reply) in items.into_iter().zip(&reply.items) {
        let ProducedItem::New(id) = *reply else { panic!("{new:?} is not new") };
        let (content, name) = (new.content.clone(), String::from_utf8(new.content.payload.to_vec()).unwrap());
        assert_eq!(of == id, name == "new, named", "the original of the duplicate");
        let mut stamps = model.stamps;
        let item = produced(&mut new, &model.rules(number), (number, 0), model.op(), &mut stamps);
        model.stamps = stamps;
        // The reply contains its id.
        let (stamp, slot) = redrive_model::Stamp::split(id.ksuid());
        let item = Item { stamp, ..item };
        let shown = as_item::without_documents(StoredItem { info: ItemInfo::of(slot, &item), content, context: None });
        model.insert(&name, item, Event::Produced, shown);
    }
    model.verify("a produce").await;
}

fn after(span: Span) -> Time {
    NOW.saturating_add(span)
}

pub(in crate::conformance) async fn a_lease_is_the_rule(fixture: &StoreFixture) {
    let (queues, mut model) = make(fixture).await;
    for (queue, own) in [(&queues.orders, None), (&queues.dead, Some(HOUR)), (&queues.lost, None)] {
        let ready = model.names(queue, |item| item.phase == Phase::Ready);
        let spec = LeaseSpec { batch: 16, lease: own, notes_receipt: false };
        let leased =
            fixture.store().lease(Lease { queue: queue.clone(), client_id: None, spec, wait: Span::ZERO }).await;
        assert_eq!(leased.is_ok(), !ready.is_empty(), "{leased:?}");
        let (now, deadline) = (fixture.after(Span::ZERO), fixture.after(own.unwrap_or(MINUTE)));
        for name in &ready {
            model.apply(name, |item, _, _| leased_until(item, deadline, now));
        }
        model.verify("a lease").await;
        let mut given: Vec<_> = leased.into_iter().flat_map(|leased| leased.items).map(|item| item.info).collect();
        let mut expected: Vec<_> = ready.iter().map(|name| model.items[name].shown.info.clone()).collect();
        given.sort_by_key(|info| info.id);
        expected.sort_by_key(|info| info.id);
        assert_eq!(given, expected, "the leased items");
    }
}

fn leased_until(mut item: Item, deadline: Time, now: Time) -> Transition {
    lease(&mut item, deadline, Some(now), None);
    Transition::Changed { item, event: Event::Leased, documents: Vec::new() }
}

pub(in crate::conformance) async fn an_extension_is_the_rule(fixture: &StoreFixture) {
    let (queues, mut model) = make(fixture).await;
    for (lease, is_moved) in [(Some(BRIEF), false), (Some(HOUR), true), (Some(HOUR), false)] {
        for queue in [&queues.orders, &queues.dead, &queues.lost] {
            let names = live(&model, queue);
            let ids = names.iter().map(|name| model.id(name)).collect();
            let request = Extend { queue: queue.clone(), partition: None, ids, lease, may_shorten: false };
            let answers = fixture.store().extend(request).await.unwrap();
            let deadline = fixture.after(lease.unwrap_or(MINUTE));
            for (name, answer) in names.iter().zip(answers) {
                let item = &mut model.items.get_mut(name).unwrap().item;
                let mut extended = item.clone();
                let is_later = extend(&mut extended, deadline);
                let is_leased = item.phase == Phase::Leased;
                assert_eq!(answer.ok(), is_leased.then_some(extended.at), "{name}");
                assert!(!is_leased || is_later == is_moved, "{name}");
                if is_leased && is_later {
                    model.apply(name, |_, _, _| Transition::Changed {
                        item: extended,
                        event: Event::Extended,
                        documents: Vec::new(),
                    });
                }
            }
            model.verify("an extension").await;
        }
    }
}

/// The items that a holder can name: finished letters have no valid item id.
fn live(model: &RuleModel<'_>, queue: &QueueName) -> Vec<String> {
    model.names(queue, |item| item.phase.is_live())
}

pub(in crate::conformance) async fn a_complete_is_the_rule(fixture: &StoreFixture) {
    let (queues, mut model) = make(fixture).await;
    for queue in [&queues.orders, &queues.dead, &queues.lost] {
        let names = live(&model, queue);
        let ids = names.iter().map(|name| model.id(name)).collect();
        let done = SettleAction::Complete { attempt: None };
        let settle = Settle { on_rejected: OnRejected::Continue, ..Settle::all(queue.clone(), None, ids, &done) };
        let answers = fixture.store().settle(settle).await.unwrap();
        let op = model.op();
        for (name, answer) in names.iter().zip(answers) {
            let item = &model.items[name].item;
            let is_leased = item.phase == Phase::Leased;
            assert_eq!(answer.is_ok(), is_leased, "{name}: {answer:?}");
            if is_leased {
                model.apply(name, |item, rules, stamps| match item.letter() {
                    Some(_) => complete_letter(item, rules, None, op, stamps),
                    None => Transition::Gone(EndReason::Completed),
                });
            }
        }
        model.verify("a complete").await;
    }
}
