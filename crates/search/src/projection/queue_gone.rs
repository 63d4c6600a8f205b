//! Removes the letters of a deleted queue from the index.
//!
//! The feed has one entry for the whole queue, so its letters are searched in the index. A queue of the same name may
//! have been created since: a letter that exists in the store belongs to it and stays. (OpenSearch's delete by query is
//! a module that not every installation has, and cannot check the store.)

use redrive_core::QueueName;

use super::{Core, Op, Target, deliver};
use crate::SearchError;
use crate::scan::Scan;
use crate::stored::stored_letter;

/// Letters per page.
const PAGE: usize = 500;

impl Core {
    pub(crate) async fn queue_gone(&self, target: &Target, queue: &QueueName) -> Result<(), SearchError> {
        // Makes recently written documents searchable.
        self.client.refresh(&target.name).await?;
        let mut after = None;
        loop {
            let scan = Scan { index: &target.name, queue, after, limit: PAGE };
            let found = scan.read(&self.client).await?;
            let Some(last) = found.last().map(|(letter, _)| *letter) else { return Ok(()) };
            let mut gone = Vec::new();
            for (letter, _) in &found {
                if stored_letter(&*self.store, queue, *letter).await?.is_none() {
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
}
