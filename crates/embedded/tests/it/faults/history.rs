//! A random history: sequential operations, with crashes of all kinds between and within them.

use redrive_journal::{Crash, SyncFault};
use redrive_store::Store;

use super::actor::{Actor, HistoryCounts};
use super::machine::Wrap;
use super::oracle::Checked;
use crate::rig::{SEGMENT, run};

/// Runs one history, long enough to fill segments and to write checkpoints.
pub(super) fn history(seed: u64, wrap: Wrap) -> Checked<HistoryCounts> {
    acts(seed, wrap, 40, 150, 1)
}

/// Runs a history in which segments are compacted repeatedly between two faults. It ends with many crashes, to cover
/// rare cases.
pub(super) fn long_history(seed: u64, wrap: Wrap) -> Checked<HistoryCounts> {
    acts(seed, wrap, 600, 600, 10)
}

/// Runs `acts` operations, of which six in `one_in` are faults, followed by `stops` crashes in the middle of
/// operations.
fn acts(seed: u64, wrap: Wrap, acts: usize, one_in: usize, stops: usize) -> Checked<HistoryCounts> {
    run(async {
        let mut actor = Actor::new(seed, wrap).await?;
        for _ in 0..acts {
            match actor.random.below(one_in) {
                0 => actor.stop_somewhere().await?,
                1 => actor.fail_a_sync().await?,
                2 => {
                    let crash = actor.some_crash();
                    actor.crash(crash).await?;
                }
                3 => actor.close_and_reopen().await?,
                4 => actor.process_then_power().await?,
                5 => actor.fill_the_disk().await?,
                _ => actor.act().await?,
            }
        }
        for _ in 0..stops {
            actor.stop_somewhere().await?;
        }
        actor.store.close().await.map_err(|error| format!("closing failed: {error}"))?;
        Ok(actor.counts)
    })
}

impl Actor {
    /// Stops the machine at a random change of the disk, in the middle of an operation.
    async fn stop_somewhere(&mut self) -> Checked {
        self.is_faulty = true;
        self.machine.disk.stop_after(self.random.below(40) as u64);
        self.act_until_down().await?;
        let crash = self.some_crash();
        self.crash(crash).await
    }

    /// Fails a sync: the store then rejects changes and shows acknowledged data only.
    async fn fail_a_sync(&mut self) -> Checked {
        self.is_faulty = true;
        let fault = if self.random.chance(50) { SyncFault::Error } else { SyncFault::PowerLoss };
        self.machine.disk.fail_syncs_after(self.random.below(6) as u64, fault);
        self.act_until_down().await?;
        let crash = self.some_crash();
        self.crash(crash).await
    }

    async fn act_until_down(&mut self) -> Checked {
        for _ in 0..25 {
            self.act().await?;
            if self.is_down {
                break;
            }
        }
        if self.is_down {
            // The store rejects changes and shows acknowledged data only.
            self.check().await?;
            self.act().await?;
            self.check().await?;
        }
        Ok(())
    }

    /// The process dies and restarts, then the power is lost: data that recovery has read must survive.
    async fn process_then_power(&mut self) -> Checked {
        self.crash(Crash::ProcessOnly).await?;
        self.crash(Crash::LoseAll).await
    }

    /// The disk is full for a while; afterwards work continues.
    async fn fill_the_disk(&mut self) -> Checked {
        self.is_faulty = true;
        let free_bytes = SEGMENT * self.random.below(3);
        self.machine.disk.set_capacity(Some(self.machine.disk.used() + free_bytes));
        for _ in 0..15 {
            self.act().await?;
        }
        if self.is_down {
            return Err("a full disk was treated as a failed one".to_owned());
        }
        if self.random.chance(50) {
            let crash = self.some_crash();
            return self.crash(crash).await;
        }
        self.machine.disk.set_capacity(None);
        self.wait_for_space().await?;
        (self.is_faulty, self.has_pending_timers) = (false, true);
        self.check().await
    }

    /// Segments are created by another thread, so the first requests may still fail with `Full`.
    async fn wait_for_space(&mut self) -> Checked {
        for _ in 0..10_000 {
            let before = self.counts.rejected_full;
            self.write_a_key().await?;
            self.recreate_brief().await?;
            if self.counts.rejected_full == before && !self.store.status().is_full {
                return Ok(());
            }
            tokio::task::yield_now().await;
            std::thread::yield_now();
        }
        Err(format!("the disk has space again, but the store stays full: {:?}", self.store.status()))
    }
}
