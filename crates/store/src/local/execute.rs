//! One operation on the state: what is recorded, and what is answered.

use redrive_queue::{Facts, ItemInfo, LetterChange, Moment, State, WriteKeys};

use super::answer::{Answer, Shape};
use super::keeper::{Keeper, Wanted};
use crate::{Operation, Reply, StoreError};

/// Where an operation is done.
#[derive(Debug)]
pub(crate) struct Bench<'w> {
    pub(crate) state: &'w mut State,
    pub(crate) facts: &'w mut Facts,
    pub(crate) keeper: &'w Keeper,
    pub(crate) moment: Moment,
}

impl Bench<'_> {
    /// Does an operation that nobody waits in, and writes the keys that come along; both, or neither.
    pub(crate) fn execute(&mut self, operation: Operation, mut along: WriteKeys) -> Result<Answer, StoreError> {
        if let Operation::WriteKeys(mut write) = operation {
            // One list, whose conditions all speak of what was before.
            write.writes.append(&mut along.writes);
            return self.operate(Operation::WriteKeys(write));
        }
        along.check(self.state)?;
        let answer = self.operate(operation)?;
        // Checked above, and no operation but this writes keys.
        along.apply(self.state, self.moment, self.facts)?;
        Ok(answer)
    }

    fn operate(&mut self, operation: Operation) -> Result<Answer, StoreError> {
        let Self { state, facts, moment, .. } = self;
        let moment = *moment;
        let reply = match operation {
            Operation::CreateQueue(create) => Reply::Settings(Box::new(create.apply(state, moment, facts)?)),
            Operation::UpdateQueue(update) => Reply::Settings(Box::new(update.apply(state, moment, facts)?)),
            Operation::DeleteQueue(delete) => done(delete.apply(state, moment, facts)?),
            Operation::GetQueue(get) => Reply::Settings(Box::new(get.view(state)?)),
            Operation::ListQueues(list) => Reply::Queues(list.view(state)),
            Operation::Stats(stats) => {
                stats.catch_up(state, moment.now);
                Reply::Stats(Box::new(stats.view(state, moment.now)?))
            }
            Operation::Produce(produce) => Reply::Produced(produce.apply(state, moment, facts)?),
            Operation::Extend(extend) => Reply::Deadlines(extend.apply(state, moment, facts)?),
            Operation::Settle(settle) => Reply::Settled(settle.apply(state, moment, facts)?),
            Operation::Clear(clear) => Reply::Count(clear.apply(state, moment, facts)?),
            Operation::Import(import) => Reply::Imported(import.apply(state, moment, facts)?),
            Operation::DeleteItems(delete) => Reply::Count(delete.apply(state, moment, facts)?),
            Operation::Capture(capture) => Reply::Captured(capture.apply(state, moment, facts)?),
            Operation::Archive(archive) => Reply::Count(archive.apply(state, moment, facts)?),
            Operation::Restore(restore) => Reply::Count(restore.apply(state, moment, facts)?),
            Operation::Edit(edit) => Reply::Info(Box::new(edit.apply(state, moment, facts)?)),
            Operation::Purge(purge) => Reply::Count(purge.apply(state, moment, facts)?),
            Operation::Annotate(annotate) => done(annotate.apply(state, moment, facts)?),
            Operation::Groups(groups) => Reply::Groups(groups.view(state)?),
            Operation::FindLetters(find) => Reply::Found(find.view(state)?),
            Operation::WriteKeys(write) => done(write.apply(state, moment, facts)?),
            Operation::GetKey(get) => Reply::Key(get.view(state)),
            Operation::ScanKeys(scan) => Reply::Keys(scan.view(state)),
            Operation::Cursor(cursor) => Reply::Position(cursor.apply(state, moment, facts)?),
            Operation::Reinstate(reinstate) => Reply::Reinstated(reinstate.apply(state, moment, facts)?),
            Operation::ActOnSeen(act) => Reply::Acted(act.apply(state, moment, facts)?),
            Operation::Conservation => Reply::Conservation(redrive_queue::Conservation::of(state)),

            Operation::ListItems(list) => return Ok(self.items(list.view(self.state)?, Shape::Items, Wanted::Content)),
            Operation::GetItem(get) => {
                return Ok(self.items(vec![get.view(self.state)?], Shape::Items, Wanted::Content));
            }
            Operation::ListLetters(list) => {
                return Ok(self.items(list.view(self.state)?, Shape::Items, Wanted::Content));
            }
            Operation::GetLetter(get) => {
                return Ok(self.items(vec![get.view(self.state)?], Shape::Letter, Wanted::Everything));
            }
            Operation::ClaimLetters(claim) => {
                let claimed = claim.apply(state, moment, facts)?;
                return Ok(self.items(claimed, Shape::Items, Wanted::Story));
            }
            Operation::Changes(request) => {
                let page = request.changes.view(state)?;
                let infos = page.changes.iter().filter_map(|change| match change {
                    LetterChange::Now { item, .. } => Some((**item).clone()),
                    LetterChange::Gone { .. } | LetterChange::QueueGone { .. } => None,
                });
                let infos = infos.collect();
                let shape = Shape::Changes { changes: page.changes, position: page.position, depth: page.depth };
                return Ok(self.items(infos, shape, Wanted::Everything));
            }
            // Those who wait are served together.
            Operation::Lease(_) | Operation::Claim(_) => return Err(StoreError::WrongAnswer),
        };
        Ok(Answer::Ready(reply))
    }

    /// An answer of items, with what of their documents is at hand.
    pub(crate) fn items(&self, infos: Vec<ItemInfo>, shape: Shape, wanted: Wanted) -> Answer {
        let entries = infos.into_iter().map(|info| self.keeper.entry(info, self.facts, wanted));
        Answer::Items { entries: entries.collect(), shape }
    }
}

fn done((): ()) -> Reply {
    Reply::Done
}
