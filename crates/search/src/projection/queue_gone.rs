//! A queue is gone, and its letters must go from the index.
//!
//! The feed tells it once for all of them, so they are looked for there. A queue of the same name may have been made since:
//! a letter that the store has is one of that, and stays. (OpenSearch's delete by query is a module that not every
//! installation has, and knows nothing of the store.)

use redrive_core::{LetterId, QueueName};
use redrive_model::{GetLetter, Rejection};
use redrive_store::StoreError;

use super::{Core, Op, Target, deliver};
use crate::SearchError;
use crate::scan::Scan;

/// So many are looked for at once.
const PAGE: usize = 500;

impl Core {
    pub(crate) async fn queue_gone(&self, target: &Target, queue: &QueueName) -> Result<(), SearchError> {
        // What was written a moment ago is found only then.
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
            self.book(target, &delivered);
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
