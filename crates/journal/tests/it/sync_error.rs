//! A failed sync: all further batches are rejected, and reading stays possible.

use redrive_journal::{AppendError, Crash, SyncFault, Use};

use crate::{append, batch_of, contents, new_journal, open};

#[test]
fn after_a_failed_sync_appends_fail_and_reads_succeed() {
    let (disk, mut journal) = new_journal();
    let good = append(&mut journal, &[b"durable"]);
    disk.fail_syncs_after(0, SyncFault::Error);
    let failed = journal.append(&mut batch_of(&[b"unknown"]), Use::Ordinary);
    assert!(matches!(failed, Err(AppendError::Poisoned(Some(_)))));

    // Later syncs succeed again, as they do on a real system; the journal must not rely on that.
    disk.heal_syncs();
    for purpose in [Use::Ordinary, Use::FreesSpace] {
        let rejected = journal.append(&mut batch_of(&[b"more"]), purpose);
        assert!(matches!(rejected, Err(AppendError::Poisoned(None))));
        assert!(matches!(journal.reserve(10, purpose), Err(AppendError::Poisoned(None))));
    }
    assert!(journal.prove().is_err());
    assert_eq!(journal.reader().read(good.locations[0]).unwrap().body, &b"durable"[..]);
    assert!(journal.close().is_err());

    disk.crash(Crash::LoseAll, 1);
    assert_eq!(contents(&disk), [(1, b"durable".to_vec())]);
    let mut journal = open(&disk);
    assert_eq!(append(&mut journal, &[b"again"]).first.0, 2);
}
