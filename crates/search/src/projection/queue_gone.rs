//! Removes the letters of a deleted queue from the index.
//!
//! The feed has one entry for the whole queue, so its letters are searched in the index. A queue of the same name may
//! have been created since: a letter that exists in the store belongs to it and stays. (OpenSearch's delete by query is
//! a module that not every installation has, and cannot check the store.)

use redrive_core::{LetterId, QueueName};
use redrive_model::{GetLetter, Rejection};
use redrive_store::StoreError;

use super::{Core, Op, Target, deliver};
use crate::SearchError;
use crate::scan::Scan;

/// Letters per page.
const PAGE: usize = 500;

impl Core {
    pub(crate) async fn queue_gone(&self, target: &Target, queue: &QueueName) -> Result<(), SearchError> {
        // Makes recently written documents searchable.
        self.index.refresh(&target.name).await?;
        let mut after = None;
        loop {
            let scan = Scan { index: &target.name, queue, after, limit: PAGE };
            let found = scan.read(&self.client).await?;
            let Some(last) = found.last().map(|(letter, _)| *letter) else { return Ok(()) };
            let mut gone = Vec::new();
            for (letter, _) in &found {
                if !self.has_letter(queue, *letter).await? {
                    gone.push(Op::delete(*letter));
                }
            }
            let delivered = deliver(&self.client, target, gone).await;
            self.record(target, &delivered);
            if let Some(trouble) = delivered.trouble {
                return Err(trouble.into());
            }
            after = Some(last);
        }
    }

    async fn has_letter(&self, queue: &QueueName, letter: LetterId) -> Result<bool, StoreError> {
        match self.store.letter(GetLetter { queue: queue.clone(), letter }).await {
            Ok(_) => Ok(true),
            Err(StoreError::Rejected(Rejection::NoSuchQueue(_) | Rejection::NoSuchLetter(_))) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
