//! Random histories with crashes: acknowledged batches survive, and unacknowledged ones are found completely or not at
//! all.

use redrive_testkit::seeds;

use super::harness::{Checked, Harness};
use crate::{Crash, Use};

/// Runs one history. The error describes the difference from the model.
pub(super) fn run(seed: u64) -> Checked {
    let mut harness = Harness::new(seed);
    for _ in 0..40 {
        match harness.random.below(22) {
            0..=8 => {
                harness.append(Use::Ordinary)?;
            }
            9 => harness.prove()?,
            10 | 11 => harness.read_some()?,
            12 => harness.move_point()?,
            13 => harness.drop_some()?,
            14 => {
                harness.close()?;
                harness.open()?;
            }
            15 | 16 => {
                harness.fail_in_append()?;
                harness.open()?;
            }
            17 => {
                // The process dies and restarts, then the power is lost: records that recovery has read must survive.
                harness.crash(Crash::ProcessOnly);
                harness.open()?;
                harness.append(Use::Ordinary)?;
                harness.crash(Crash::LoseAll);
                harness.open()?;
            }
            18 => {
                let free_bytes = harness.options.segment_bytes * harness.random.below(3);
                harness.disk.set_capacity(Some(harness.disk.used() + free_bytes));
                for _ in 0..4 {
                    harness.append(Use::Ordinary)?;
                }
                harness.disk.set_capacity(None);
                harness.journal().spares().fill().map_err(|error| error.to_string())?;
            }
            19 | 20 => {
                harness.stop_somewhere()?;
                // The machine may stop again during recovery.
                if harness.random.chance(50) {
                    harness.disk.stop_after(harness.random.below(8) as u64);
                    drop(harness.open_unchecked());
                    harness.crash(Crash::Any);
                }
                harness.open()?;
            }
            _ => {
                harness.crash(Crash::Any);
                harness.open()?;
            }
        }
    }
    harness.close()?;
    harness.open()?;
    harness.read_some()
}

#[test]
fn every_acknowledged_batch_survives_and_no_batch_is_found_in_part() {
    for seed in seeds(500) {
        if let Err(wrong) = run(seed.number()) {
            panic!("{seed}: {wrong}");
        }
    }
}
