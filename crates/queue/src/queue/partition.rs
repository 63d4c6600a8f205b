//! One partition: its items in id order, separated by phase.

use redrive_core::Priority;
use redrive_model::{Item, Phase, PriorityRotation};

use super::Order;

/// The items of a partition. Each item is in at most one of the orders; finished letters are in none.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Partition {
    pub(crate) ready: [Order; Priority::ALL.len()],
    pub(crate) leased: Order,
    pub(crate) scheduled: Order,
    pub(crate) stranded: Order,
    pub(crate) damaged: Order,
    pub(crate) rotation: PriorityRotation,
    pub(crate) cleared: Cleared,
}

/// The serial number up to which the items of a phase were cleared. They still occupy their slots, which are reclaimed
/// gradually: reclaiming five million in one step would block all other requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cleared {
    pub(crate) ready: u64,
    pub(crate) leased: u64,
    pub(crate) scheduled: u64,
}

impl Partition {
    /// The order that an item of this phase belongs to.
    fn order_mut(&mut self, item: &Item) -> Option<&mut Order> {
        match item.phase {
            Phase::Ready => Some(&mut self.ready[item.priority as usize]),
            Phase::Leased => Some(&mut self.leased),
            Phase::Scheduled | Phase::Due => Some(&mut self.scheduled),
            Phase::Stranded => Some(&mut self.stranded),
            Phase::Damaged => Some(&mut self.damaged),
            Phase::Finished => None,
        }
    }

    pub(crate) fn add(&mut self, slot: u32, item: &Item) {
        if let Some(order) = self.order_mut(item) {
            order.insert(slot, item);
        }
    }

    pub(crate) fn remove(&mut self, slot: u32, item: &Item) {
        if let Some(order) = self.order_mut(item) {
            order.remove(slot, item);
        }
    }

    /// Whether an item that still occupies its slot was cleared.
    pub(crate) fn is_cleared(&self, item: &Item) -> bool {
        let up_to = match item.phase {
            Phase::Ready | Phase::Stranded | Phase::Damaged => self.cleared.ready,
            Phase::Leased => self.cleared.leased,
            Phase::Scheduled | Phase::Due => self.cleared.scheduled,
            Phase::Finished => 0,
        };
        item.stamp.serial <= up_to
    }

    /// The number of items that can be leased now.
    pub(crate) fn available(&self) -> u64 {
        self.ready.iter().map(Order::len).sum()
    }

    /// The number of items except scheduled and damaged ones.
    pub(crate) fn total(&self) -> u64 {
        self.available() + self.leased.len() + self.stranded.len()
    }

    /// The sum of the creation times of all items that [`Partition::total`] counts.
    pub(crate) fn created_sum(&self) -> i128 {
        let ready: i128 = self.ready.iter().map(Order::created_sum).sum();
        ready + self.leased.created_sum() + self.stranded.created_sum()
    }

    /// The slots of all items except scheduled and damaged ones, in id order.
    pub(crate) fn items_from(&self, serial: u64) -> impl Iterator<Item = u32> {
        let [high, medium, low] = &self.ready;
        merged([high, medium, low, &self.leased, &self.stranded], serial)
    }

    /// The slots of all items except damaged ones, in id order.
    pub(crate) fn all_from(&self, serial: u64) -> impl Iterator<Item = u32> {
        let [high, medium, low] = &self.ready;
        merged([high, medium, low, &self.leased, &self.stranded, &self.scheduled], serial)
    }
}

/// The slots of several orders from a serial number on, in id order.
fn merged<const N: usize>(orders: [&Order; N], serial: u64) -> impl Iterator<Item = u32> {
    let mut heads = orders.map(|order| order.range_from(serial).peekable());
    std::iter::from_fn(move || {
        let serials = heads.each_mut().map(|head| head.peek().map(|key| key.rank()));
        let first = serials.iter().flatten().min()?;
        let head = serials.iter().position(|serial| *serial == Some(*first))?;
        heads[head].next().map(|key| key.slot)
    })
}
