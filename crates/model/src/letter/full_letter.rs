//! A letter with all of its documents.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::LetterId;

use super::{Attempt, CaptureContext, Destination};
use crate::transition::NewDocument;
use crate::{
    Annotate, Content, DocumentKind, ItemInfo, ItemState, QueueSettings, Rejection, check_dependencies_count,
    check_source_id, each_once,
};

/// A letter with all of its documents, for display, export, search and reinstatement.
#[derive(Debug, Clone, PartialEq)]
pub struct FullLetter {
    pub info: ItemInfo,
    pub content: Arc<Content>,
    pub context: Option<CaptureContext>,
    /// The first attempt and the newest ones, oldest first.
    pub attempts: Vec<Attempt>,
    /// The content before it was edited.
    pub original: Option<Arc<Content>>,
    pub notes: Vec<Bytes>,
    /// The remaining parts of the work; `None` if no part has been completed.
    pub parts: Option<Vec<String>>,
}

impl FullLetter {
    /// Checks the limits that are independent of the queue.
    pub fn check(&self) -> Result<(), Rejection> {
        let letter = self.info.letter.as_ref().ok_or(Rejection::NoFailure(self.info.id))?;
        if self.info.state == ItemState::Damaged {
            return Err(Rejection::LetterDamaged(letter.id));
        }
        self.info.source_id.as_deref().map_or(Ok(()), check_source_id)?;
        self.content.check()?;
        self.original.as_ref().map_or(Ok(()), |original| original.check())?;
        if letter.max_retries > QueueSettings::MAX_RETRIES_MAX {
            return Err(Rejection::TooManyRetries);
        }
        if letter.destination.len() > Destination::BYTES_MAX {
            return Err(Rejection::BadDestination { most: Destination::BYTES_MAX });
        }
        check_dependencies_count(self.context.as_ref().map_or(&[], |context| &context.depends_on))?;
        check_most("attempts", self.attempts.len(), DocumentKind::Attempt)?;
        check_most("notes", self.notes.len(), DocumentKind::Note)?;
        if self.notes.iter().any(|note| note.len() > Annotate::NOTE_BYTES_MAX) {
            return Err(Rejection::ValueTooLong { most: Annotate::NOTE_BYTES_MAX });
        }
        Ok(())
    }

    /// The letters that this one waited for, without duplicates.
    pub(crate) fn waited_for(&self) -> Vec<LetterId> {
        let is_blocked = self.info.letter.as_ref().is_some_and(|letter| letter.is_blocked);
        self.context.as_ref().filter(|_| is_blocked).map_or_else(Vec::new, |context| each_once(&context.depends_on))
    }

    /// The digest of the captured payload; `None` for an item that died in a queue.
    pub(crate) fn digest(&self) -> Option<[u8; 16]> {
        let is_moved = self.context.as_ref().is_some_and(|context| context.death.is_some());
        (!is_moved).then(|| self.original.as_ref().unwrap_or(&self.content).digest())
    }

    /// All documents, the content first.
    pub fn documents(self) -> impl Iterator<Item = NewDocument> {
        let contents = match self.original {
            Some(original) => vec![NewDocument::Content(original), NewDocument::Edited(self.content)],
            None => vec![NewDocument::Content(self.content)],
        };
        let context = self.context.map(|context| NewDocument::context(&context));
        let attempts = self.attempts.into_iter().map(|attempt| NewDocument::attempt(&attempt));
        let notes = self.notes.into_iter().map(NewDocument::note);
        let parts = self.parts.map(|parts| NewDocument::parts(&parts));
        contents.into_iter().chain(context).chain(attempts).chain(notes).chain(parts)
    }
}

fn check_most(what: &'static str, count: usize, kind: DocumentKind) -> Result<(), Rejection> {
    let most = kind.most();
    if count > most { Err(Rejection::TooMany { what, count, most }) } else { Ok(()) }
}
