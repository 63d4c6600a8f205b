//! Tests that need access to the journal's internals: random histories on the simulated disk, and injected faults.

mod broken;
mod damage;
mod harness;
mod histories;

use std::cell::Cell;

/// A fault injected into the code under test, on the current thread. The tests must detect it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sabotage {
    SkipChecksums,
    AckBeforeSync,
    DropTooEarly,
}

thread_local!(static SABOTAGE: Cell<Option<Sabotage>> = const { Cell::new(None) });

impl Sabotage {
    pub(crate) fn is_on(self) -> bool {
        SABOTAGE.get() == Some(self)
    }

    /// Runs `work` with the fault injected.
    fn during<T>(self, work: impl FnOnce() -> T) -> T {
        SABOTAGE.set(Some(self));
        let result = work();
        SABOTAGE.set(None);
        result
    }
}

/// A small seeded generator with the same sequence on every platform.
#[derive(Debug, Clone)]
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        usize::try_from((mixed >> 32) % (bound.max(1) as u64)).unwrap_or(0)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
