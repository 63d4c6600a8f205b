//! Flipped bits are detected or harmless, and never yield a wrong record. And what the doctor reads.

use std::path::PathBuf;

use redrive_testkit::seeds;

use super::harness::{Checked, Found, Harness, open};
use crate::doctor::DamagedJournal;
use crate::{Batch, Crash, OpenError, Seq, Use};

/// The effect of one flipped bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Opening fails, or a read does.
    Detected,
    /// The bit is in the last batch, which looks like an interrupted write.
    LastBatchCut,
    /// The bit is not part of the log.
    Harmless,
}

/// Writes a random history, closes the journal or not, and flips one bit.
pub(super) fn run(seed: u64) -> Result<Outcome, String> {
    let mut harness = Harness::new(seed);
    for _ in 0..5 + harness.random.below(40) {
        harness.append(Use::Ordinary)?;
        match harness.random.below(12) {
            0 => harness.move_point()?,
            1 => harness.drop_some()?,
            _ => {}
        }
    }
    if harness.random.chance(50) {
        harness.close()?;
    }
    harness.crash(Crash::KeepAll);
    let files: Vec<(PathBuf, usize)> = harness.disk.files().into_iter().filter(|(_, len)| *len > 0).collect();
    let (file, len) = files[harness.random.below(files.len())].clone();
    let (byte, bit) = (harness.random.below(len), harness.random.below(8));
    harness.disk.flip_bit(&file, byte, u8::try_from(bit).unwrap_or(0));

    match open(&harness.disk, &harness.directory, harness.options) {
        Ok((journal, found)) => {
            let outcome = check_opened(&harness, &found)?;
            // Segments before the recovery point are read only on demand; the damage is reported then.
            let reader = journal.reader();
            let segments: Vec<u32> = journal.segments().iter().map(|info| info.id).collect();
            let mut is_damaged = false;
            for (seq, location) in &harness.locations {
                if !segments.contains(&location.segment) || *seq > journal.next().0 - 1 {
                    continue;
                }
                match reader.read(*location) {
                    Ok(record) => harness.compare(*seq, record.seq, record.kind, &record.body)?,
                    Err(_) => is_damaged = true,
                }
            }
            Ok(if is_damaged { Outcome::Detected } else { outcome })
        }
        Err(OpenError::Damaged(damage)) => {
            let is_elsewhere = damage.file != file && damage.file.parent() != file.parent();
            if is_elsewhere {
                return Err(format!("{} was damaged, but {} is reported", file.display(), damage.file.display()));
            }
            check_doctor(&harness)?;
            Ok(Outcome::Detected)
        }
        Err(OpenError::NewerVersion { .. }) => Err("a flipped bit passed the checksum".into()),
        Err(error) => Err(format!("opening failed: {error}")),
    }
}

/// Checks that the recovered records are those written since the recovery point; only the last batch may be missing.
fn check_opened(harness: &Harness, found: &Found) -> Result<Outcome, String> {
    let from = found.records.first().map_or(harness.point.0, |(seq, ..)| seq.0);
    for (number, (seq, kind, body, _)) in (from..).zip(&found.records) {
        harness.compare(number, *seq, *kind, body)?;
    }
    let end = from + found.records.len() as u64;
    let missing = (harness.model.len() as u64 + 1).saturating_sub(end.max(from));
    match (missing, &found.report.cut) {
        (0, _) => Ok(Outcome::Harmless),
        (missing, Some(cut)) if missing <= harness.unproven as u64 && cut.from.0 == end => Ok(Outcome::LastBatchCut),
        (missing, cut) => Err(format!("{missing} records missing, {} allowed; cut: {cut:?}", harness.unproven)),
    }
}

/// Checks that every record the doctor reads is correct, and that every missing one is reported.
fn check_doctor(harness: &Harness) -> Checked {
    let journal = DamagedJournal::open(&harness.disk, &harness.directory).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    let findings = journal.read(|record| found.push((record.seq, record.kind, record.body.to_vec(), record.location)));
    let findings = findings.map_err(|error| error.to_string())?;
    if findings.damages.is_empty() {
        return Err("the doctor found nothing".into());
    }
    let mut missing: Vec<u64> = Vec::new();
    let mut next = found.first().map_or(1, |(seq, ..)| seq.0);
    for (seq, kind, body, location) in &found {
        harness.compare(seq.0, *seq, *kind, body)?;
        missing.extend(next..seq.0);
        next = seq.0 + 1;
        if harness.locations.get(&seq.0).is_some_and(|known| known != location) {
            return Err(format!("record {seq} is at {location:?}, not at its location"));
        }
    }
    let is_reported = |seq: &u64| {
        let mut lost = findings.damages.iter().filter_map(|damage| damage.lost);
        *seq < harness.point.0 || lost.any(|(from, until)| (from.0..until.0).contains(seq))
    };
    match missing.iter().find(|seq| !is_reported(seq)) {
        Some(seq) => Err(format!("record {seq} is missing and not reported: {findings:?}")),
        // One flipped bit may lose one record only.
        None if missing.iter().filter(|seq| **seq >= harness.point.0).count() > 1 => {
            Err(format!("one flipped bit lost {} records: {findings:?}", missing.len()))
        }
        None => Ok(()),
    }
}

#[test]
fn a_flipped_bit_never_yields_a_wrong_record() {
    let mut outcomes = [0u64; 3];
    for seed in seeds(500) {
        match run(seed.number()) {
            Ok(outcome) => outcomes[outcome as usize] += 1,
            Err(wrong) => panic!("{seed}: {wrong}"),
        }
    }
    let [detected, cut, harmless] = outcomes;
    println!("{detected} detected, {cut} in the last batch, {harmless} harmless");
    assert!(detected > 0 && cut > 0 && harmless > 0, "each outcome must occur: {outcomes:?}");
}

#[test]
fn damage_is_reported_with_file_offset_and_lost_records() {
    let mut harness = Harness::new(7);
    harness.append(Use::Ordinary).unwrap();
    let lost = harness.model.len() as u64;
    harness.append(Use::Ordinary).unwrap();
    harness.close().unwrap();
    let file = PathBuf::from("/journal/0000000001.segment");
    // The first batch begins after the segment header of 40 bytes.
    harness.disk.flip_bit(&file, 40 + 48 + 3, 0);
    let error = harness.open_unchecked().map(|_| ()).unwrap_err();
    let OpenError::Damaged(damage) = &error else { panic!("{error}") };
    assert_eq!((damage.file.clone(), damage.offset, damage.lost), (file, 40, Some((Seq(1), Seq(lost + 1)))));
    let text = error.to_string();
    assert!(text.contains("/journal/0000000001.segment is damaged at offset 40") && text.contains("doctor"), "{text}");
}

/// A wrong length may point anywhere, even to zeros that look like the end of the log. The records after it must be
/// found nevertheless.
#[test]
fn a_record_with_a_wrong_length_does_not_hide_the_others() {
    let body = [0; 200];
    for bit in 0..12 {
        let mut harness = Harness::new(7);
        let mut batch = Batch::new();
        for _ in 0..6 {
            batch.push(1, &[&body]).unwrap();
        }
        harness.journal().append(&mut batch, Use::Ordinary).unwrap();
        harness.close().unwrap();
        // After the segment header of 40 bytes and the batch header of 48, the length is the second field of the
        // record.
        let at = 40 + 48 + 4 + bit / 8;
        harness.disk.flip_bit(&PathBuf::from("/journal/0000000001.segment"), at, u8::try_from(bit % 8).unwrap());
        let journal = DamagedJournal::open(&harness.disk, &harness.directory).unwrap();
        let mut found = Vec::new();
        journal.read(|record| found.push(record.seq.0)).unwrap();
        assert_eq!(found, [2, 3, 4, 5, 6], "bit {bit} of the length");
    }
}
