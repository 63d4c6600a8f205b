//! Plans the steps of a capture request.

use redrive_core::{LetterId, OnDuplicate, OnFull, Status};

use super::overlay::{FoundLetter, Overlay};
use super::{CaptureStep, Peer, QueueIndex};
use crate::transition::QueueRules;
use crate::{CaptureBatch, Letter, NewLetter, Rejection};

/// Plans a request without changing anything.
///
/// # Errors
///
/// If one of the failures is rejected; then none is captured. A store counts [`Rejection::QueueFull`].
pub fn plan<N: QueueIndex>(
    letters: &CaptureBatch,
    rules: &QueueRules<'_>,
    items: &N,
) -> Result<Vec<CaptureStep>, Rejection> {
    let mut overlay = Overlay::new(letters.len());
    let mut steps = Vec::with_capacity(letters.len());
    for ((index, pending), is_known) in letters.pending().enumerate().zip(items.are_known(letters)) {
        let known = is_known.then_some(items);
        let (new, coordinates) = (pending.letter, pending.coordinates().copied());
        if let Some(found) = overlay.same_message(new, coordinates, known) {
            let (replays, known) = (new.context.origin.replays, overlay.replays_of(found, letters));
            if replays <= known {
                found.check_known_payload(new, letters)?;
                steps.push(CaptureStep::Duplicate(found.target()));
                continue;
            }
            // What is handed back has one replay more than the failures before it.
            let most = known.saturating_add(1);
            if replays > most {
                return Err(Rejection::TooManyReplays { replays, most });
            }
            if overlay.fail_again(found, new, items) {
                found.check_replayed_payload(new, letters)?;
                steps.push(CaptureStep::FailedAgain(found.target()));
                continue;
            }
        }
        let live = match known.and_then(|items| overlay.live_of_source(&new.source_id, items)) {
            Some(peer) => Some(FoundLetter::Held(peer)),
            None => overlay.made(&new.source_id).map(FoundLetter::Made),
        };
        let Some(live) = live else {
            steps.push(CaptureStep::New(overlay.add(index, new, coordinates, None, rules, items)?));
            continue;
        };
        // A plain item that was produced into the dead queue holds its source id, too.
        if live.is_plain() {
            steps.push(CaptureStep::Duplicate(live.target()));
            continue;
        }
        let on_duplicate = if live.is_retrying() { OnDuplicate::Merge } else { rules.letters.on_duplicate };
        steps.push(match on_duplicate {
            OnDuplicate::Reject => return Err(live.duplicate(&new.source_id)),
            OnDuplicate::Merge => {
                live.check_payload(new, letters)?;
                CaptureStep::Merge(live.target())
            }
            OnDuplicate::NewGeneration => {
                CaptureStep::New(overlay.add(index, new, coordinates, Some(live.target()), rules, items)?)
            }
        });
    }
    // Moves ignore `max_size`, so the queue may already exceed it: only growth is rejected.
    let is_full = overlay.growth() > rules.room(items.live_letters());
    if rules.letters.on_full == OnFull::Reject && is_full { Err(rules.full()) } else { Ok(steps) }
}

/// Of the live holder of a failure's source id.
impl FoundLetter<'_> {
    fn is_plain(&self) -> bool {
        matches!(self, Self::Held(peer) if peer.item.letter().is_none())
    }

    /// Whether the letter is being retried. Such a letter always merges a further failure, whatever `on_duplicate` is.
    fn is_retrying(&self) -> bool {
        let is_retrying = |letter: &Letter| letter.status == Status::Retrying;
        matches!(self, Self::Held(peer) if peer.item.letter().is_some_and(is_retrying))
    }

    fn duplicate(&self, source_id: &str) -> Rejection {
        match self {
            Self::Held(peer) => Rejection::DuplicateLetter { letter: peer.letter_id() },
            Self::Made(_) => Rejection::TwiceInRequest(source_id.into()),
        }
    }

    /// Rejects a failure of work that was handed back and has another payload than the letter, as edited.
    fn check_replayed_payload(&self, new: &NewLetter, letters: &CaptureBatch) -> Result<(), Rejection> {
        self.check_digests(new, letters, |peer, digest| match peer.item.letter() {
            Some(Letter { edition: Some(edition), .. }) => **edition == digest,
            // Edited by a version that kept no digest.
            Some(_) if peer.item.is_edited() => false,
            letter => is_captured(letter, digest),
        })
    }

    /// Rejects a repeated report of a failure with another payload than the letter, as captured or as edited: it is about
    /// another message, which would be lost.
    fn check_known_payload(&self, new: &NewLetter, letters: &CaptureBatch) -> Result<(), Rejection> {
        self.check_digests(new, letters, |peer, digest| {
            let letter = peer.item.letter();
            let edition = letter.and_then(|letter| letter.edition.as_deref());
            edition == Some(&digest) || is_captured(letter, digest)
        })
    }

    /// Rejects a merge of a different payload: it would be lost.
    fn check_payload(&self, new: &NewLetter, letters: &CaptureBatch) -> Result<(), Rejection> {
        self.check_digests(new, letters, |peer, digest| is_captured(peer.item.letter(), digest))
    }

    fn check_digests(
        &self,
        new: &NewLetter,
        letters: &CaptureBatch,
        is_same: impl FnOnce(&Peer<'_>, [u8; 16]) -> bool,
    ) -> Result<(), Rejection> {
        match self {
            Self::Held(peer) if is_same(peer, new.content.digest()) => Ok(()),
            Self::Held(peer) => Err(Rejection::OtherPayload { letter: peer.letter_id() }),
            Self::Made(index) if letters[*index].content.payload == new.content.payload => Ok(()),
            Self::Made(_) => Err(Rejection::OtherPayloadInRequest(new.source_id.clone())),
        }
    }
}

/// Whether a letter was captured with a payload, as far as that is known.
fn is_captured(letter: Option<&Letter>, digest: [u8; 16]) -> bool {
    letter.and_then(|letter| letter.digest.get()).is_none_or(|captured| captured == digest)
}

impl Peer<'_> {
    fn letter_id(&self) -> LetterId {
        self.item.letter().map_or_else(|| self.item.stamp.letter_id(self.slot), |letter| letter.id)
    }
}
