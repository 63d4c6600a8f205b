//! A random history: acts one after the other, and every way in which a machine can stop between or within them.

use redrive_journal::{Crash, SyncFault};
use redrive_store::Store;

use super::actor::{Actor, Tally};
use super::machine::Wrap;
use super::oracle::Checked;
use crate::rig::{SEGMENT, run};

/// One history: long enough to fill files and to describe the state. An error says what was wrong.
pub(super) fn history(seed: u64, wrap: Wrap) -> Checked<Tally> {
    acts(seed, wrap, 40, 150, 1)
}

/// A history in which files are given up again and again between two faults. It stops often at its end, so that it also
/// meets what is rare.
pub(super) fn long_history(seed: u64, wrap: Wrap) -> Checked<Tally> {
    acts(seed, wrap, 600, 600, 10)
}

/// So many acts, of which six in `one_in` are faults, and stops in the middle of work after them.
fn acts(seed: u64, wrap: Wrap, acts: usize, one_in: usize, stops: usize) -> Checked<Tally> {
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
        actor.store.close().await.map_err(|error| format!("it does not close: {error}"))?;
        Ok(actor.tally)
    })
}

impl Actor {
    /// Stops after some changes of the disk, in the middle of whatever is being done.
    async fn stop_somewhere(&mut self) -> Checked {
        self.is_disturbed = true;
        self.machine.disk.stop_after(self.random.below(40) as u64);
        self.act_until_down().await?;
        let crash = self.some_crash();
        self.crash(crash).await
    }

    /// A sync that fails: nothing more is taken, and what is shown is what was acknowledged.
    async fn fail_a_sync(&mut self) -> Checked {
        self.is_disturbed = true;
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
            // It takes nothing more, and shows what was acknowledged.
            self.check().await?;
            self.act().await?;
            self.check().await?;
        }
        Ok(())
    }

    /// The process dies, comes back, and then the power goes: what was read must not vanish.
    async fn process_then_power(&mut self) -> Checked {
        self.crash(Crash::ProcessOnly).await?;
        self.crash(Crash::LoseAll).await
    }

    /// The disk is full for a while; then there is room, and work goes on.
    async fn fill_the_disk(&mut self) -> Checked {
        self.is_disturbed = true;
        let room = SEGMENT * self.random.below(3);
        self.machine.disk.set_capacity(Some(self.machine.disk.used() + room));
        for _ in 0..15 {
            self.act().await?;
        }
        if self.is_down {
            return Err("a full disk was taken for a broken one".to_owned());
        }
        if self.random.chance(50) {
            let crash = self.some_crash();
            return self.crash(crash).await;
        }
        self.machine.disk.set_capacity(None);
        self.wait_for_room().await?;
        (self.is_disturbed, self.is_restless) = (false, true);
        self.check().await
    }

    /// Files are made by another thread, so the first answers may still be that there is none.
    async fn wait_for_room(&mut self) -> Checked {
        for _ in 0..10_000 {
            let refused = self.tally.refused_full;
            self.write_a_key().await?;
            self.make_brief().await?;
            if self.tally.refused_full == refused && !self.store.status().is_full {
                return Ok(());
            }
            tokio::task::yield_now().await;
            std::thread::yield_now();
        }
        Err(format!("the disk has room again, and the store does not notice: {:?}", self.store.status()))
    }
}
