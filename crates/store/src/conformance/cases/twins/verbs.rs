//! Verbs that add items or change them.

use redrive_core::{Priority, QueueName, Span, Time};
use redrive_model::transition::{Transition, complete_letter, extend, lease, produced};
use redrive_model::{
    EndReason, Event, Extend, Item, ItemInfo, Lease, LeaseSpec, NewItem, OnRejected, Phase, Produce, ProducedItem,
    Settle, SettleAction, StoredItem,
};

use super::specimens::{BRIEF, NOW, make};
use super::{Rulebook, as_item};
use crate::conformance::bed::Bed;
use crate::conformance::words::{HOUR, MINUTE};

pub(in crate::conformance) async fn a_produce_is_the_rule(bed: &Bed) {
    let (places, mut book) = make(bed).await;
    let mut items = Vec::new();
    let times = [
        ("", None),
        (" in the past", Some(NOW.saturating_sub(HOUR))),
        (" soon", Some(after(Span::from_micros(99_999)))),
    ];
    let later = [(" in a moment", Some(after(Span::from_millis(100)))), (" later", Some(after(HOUR)))];
    for (when, enqueue_at) in times.into_iter().chain(later) {
        for (how, expire_after) in [("", None), (", not for long", Some(Span::ZERO)), (", for ever", Some(Span::MAX))] {
            items.push(NewItem { enqueue_at, expire_after, ..NewItem::of_payload(format!("new{when}{how}")) });
        }
    }
    items.push(NewItem { priority: Priority::High, ..NewItem::of_payload("new, urgent") });
    items.push(NewItem { message_id: Some("a name".into()), ..NewItem::of_payload("new, named") });
    let twin = NewItem { message_id: Some("a name".into()), ..NewItem::of_payload("new, named again") };

    let all = items.iter().cloned().chain([twin]).collect();
    let reply = bed.store().produce(Produce::new(places.orders.clone(), all)).await.unwrap();
    assert_eq!((reply.partition, reply.items.len()), (0, items.len() + 1));
    let Some(ProducedItem::Duplicate(of)) = reply.items.last().copied() else { panic!("{reply:?}") };
    let number = book.number(&places.orders);
    for (mut new, reply) in items.into_iter().zip(&reply.items) {
        let ProducedItem::New(id) = *reply else { panic!("{new:?} is not new") };
        let (content, name) = (new.content.clone(), String::from_utf8(new.content.payload.to_vec()).unwrap());
        assert_eq!(of == id, name == "new, named", "the item that a second one of its name finds");
        let mut stamps = book.stamps;
        let item = produced(&mut new, &book.rules(number), (number, 0), book.op(), &mut stamps);
        book.stamps = stamps;
        // It has the id that the reply says.
        let (stamp, slot) = redrive_model::Stamp::split(id.ksuid());
        let item = Item { stamp, ..item };
        let shown = as_item::bare(StoredItem { info: ItemInfo::of(slot, &item), content, context: None });
        book.arrives(&name, item, Event::Produced, shown);
    }
    book.verify("a produce").await;
}

fn after(span: Span) -> Time {
    NOW.saturating_add(span)
}

pub(in crate::conformance) async fn a_lease_is_the_rule(bed: &Bed) {
    let (places, mut book) = make(bed).await;
    for (queue, own) in [(&places.orders, None), (&places.dead, Some(HOUR)), (&places.lost, None)] {
        let ready = book.names(queue, |item| item.phase == Phase::Ready);
        let spec = LeaseSpec { batch: 16, lease: own };
        let leased = bed.store().lease(Lease { queue: queue.clone(), client_id: None, spec, wait: Span::ZERO }).await;
        assert_eq!(leased.is_ok(), !ready.is_empty(), "{leased:?}");
        let deadline = bed.after(own.unwrap_or(MINUTE));
        for name in &ready {
            book.apply(name, |item, _, _| leased_until(item, deadline));
        }
        book.verify("a lease").await;
        let mut given: Vec<_> = leased.into_iter().flat_map(|leased| leased.items).map(|item| item.info).collect();
        let mut expected: Vec<_> = ready.iter().map(|name| book.items[name].shown.info.clone()).collect();
        given.sort_by_key(|info| info.id);
        expected.sort_by_key(|info| info.id);
        assert_eq!(given, expected, "what a lease gives");
    }
}

fn leased_until(mut item: Item, deadline: Time) -> Transition {
    lease(&mut item, deadline);
    Transition::Changed { item, event: Event::Leased, documents: Vec::new() }
}

pub(in crate::conformance) async fn an_extension_is_the_rule(bed: &Bed) {
    let (places, mut book) = make(bed).await;
    for (lease, is_moved) in [(Some(BRIEF), false), (Some(HOUR), true), (Some(HOUR), false)] {
        for queue in [&places.orders, &places.dead, &places.lost] {
            let names = live(&book, queue);
            let ids = names.iter().map(|name| book.id(name)).collect();
            let request = Extend { queue: queue.clone(), partition: None, ids, lease };
            let answers = bed.store().extend(request).await.unwrap();
            let deadline = bed.after(lease.unwrap_or(MINUTE));
            for (name, answer) in names.iter().zip(answers) {
                let item = &mut book.items.get_mut(name).unwrap().item;
                let mut extended = item.clone();
                let is_later = extend(&mut extended, deadline);
                let is_leased = item.phase == Phase::Leased;
                assert_eq!(answer.ok(), is_leased.then_some(extended.at), "{name}");
                assert!(!is_leased || is_later == is_moved, "{name}");
                if is_leased && is_later {
                    book.apply(name, |_, _, _| Transition::Changed {
                        item: extended,
                        event: Event::Extended,
                        documents: Vec::new(),
                    });
                }
            }
            book.verify("an extension").await;
        }
    }
}

/// What a holder could name: finished letters have no id that counts.
fn live(book: &Rulebook<'_>, queue: &QueueName) -> Vec<String> {
    book.names(queue, |item| item.phase.is_live())
}

pub(in crate::conformance) async fn a_complete_is_the_rule(bed: &Bed) {
    let (places, mut book) = make(bed).await;
    for queue in [&places.orders, &places.dead, &places.lost] {
        let names = live(&book, queue);
        let ids = names.iter().map(|name| book.id(name)).collect();
        let done = SettleAction::Complete { attempt: None };
        let settle = Settle { on_rejected: OnRejected::Continue, ..Settle::all(queue.clone(), None, ids, &done) };
        let answers = bed.store().settle(settle).await.unwrap();
        let op = book.op();
        for (name, answer) in names.iter().zip(answers) {
            let item = &book.items[name].item;
            let is_leased = item.phase == Phase::Leased;
            assert_eq!(answer.is_ok(), is_leased, "{name}: {answer:?}");
            if is_leased {
                book.apply(name, |item, rules, _| match item.letter() {
                    Some(_) => complete_letter(item, rules, None, op),
                    None => Transition::Gone(EndReason::Completed),
                });
            }
        }
        book.verify("a complete").await;
    }
}
