//! The verbs of a store that are about letters, over the API.

use redrive_core::{LetterId, QueueName};
use redrive_model::{
    Annotate, Archive, Capture, Captured, Edit, FaultGroup, FindLetters, FoundLetters, FullLetter, GetLetter, Groups,
    ItemInfo, ListLetters, Purge, Rejection, Restore, StoredItem,
};
use redrive_proto::redrive::v1::{Header, HeaderList, LettersCaptureRequest, LettersEditRequest, LettersListRequest};
use redrive_store::StoreError;
use serde_json::Value;

use super::RemoteStore;
use super::capture::{capture_letter, captured};
use super::error::{RequestSubject, not_understood};
use super::item::number;
use super::letter::{fault_group, letter_info, letter_record};
use crate::Letters;

/// A server gives no longer pages.
const PAGE_MAX: usize = 1_000;

impl RemoteStore {
    fn letters_of(&self, queue: &QueueName) -> Letters {
        self.client.letters(queue.to_string())
    }

    pub(super) async fn capture(&self, capture: Capture) -> Result<Vec<Captured>, StoreError> {
        if capture.revision.is_some() {
            return Err(StoreError::NotOffered("a capture by a revision of settings"));
        }
        let letters = capture.letters.iter().map(capture_letter).collect::<Result<Vec<_>, _>>()?;
        let count = letters.len();
        let request = LettersCaptureRequest { queue_name: capture.queue.to_string(), letters };
        let answer = self.client.capture_letters(&request).await;
        let answer = answer.map_err(|error| RequestSubject::of(&capture.queue).error(error))?;
        let made = answer.letters.iter().map(captured).collect::<Option<Vec<_>>>();
        made.filter(|made| made.len() == count).ok_or_else(not_understood)
    }

    pub(super) async fn put_away(&self, archive: Archive) -> Result<u64, StoreError> {
        let changed = self.letters_of(&archive.queue).archive(texts(&archive.letters)).await;
        counted(changed.map_err(|error| RequestSubject::of(&archive.queue).error(error))?)
    }

    pub(super) async fn bring_back(&self, restore: Restore) -> Result<u64, StoreError> {
        let changed = self.letters_of(&restore.queue).restore(texts(&restore.letters)).await;
        counted(changed.map_err(|error| RequestSubject::of(&restore.queue).error(error))?)
    }

    pub(super) async fn purge(&self, purge: Purge) -> Result<u64, StoreError> {
        let changed = self.letters_of(&purge.queue).purge(texts(&purge.letters)).await;
        counted(changed.map_err(|error| RequestSubject::of(&purge.queue).error(error))?)
    }

    /// Of a content, the wire takes payload and headers: the rest must be what it was, which is looked up first.
    pub(super) async fn edit(&self, edit: Edit) -> Result<ItemInfo, StoreError> {
        let mut request = LettersEditRequest {
            queue_name: edit.queue.to_string(),
            id: edit.letter.to_string(),
            retry_policy: edit.policy.map(|policy| policy.to_string()).unwrap_or_default(),
            max_retries: edit.max_retries.map(number),
            priority: edit.priority.map(|priority| priority.to_string()).unwrap_or_default(),
            ..LettersEditRequest::default()
        };
        if let Some(content) = &edit.content {
            let record = self.letter(GetLetter { queue: edit.queue.clone(), letter: edit.letter }).await?;
            let before = &record.content;
            let is_same = before.kind == content.kind
                && before.encoding == content.encoding
                && before.reference == content.reference
                && before.key == content.key;
            if !is_same {
                return Err(StoreError::NotOffered("another kind, encoding, reference or key for a letter"));
            }
            // What was looked at is what is changed, or nothing is.
            let revision = record.info.letter.as_ref().map_or(0, |letter| letter.revision);
            request.revision = i64::try_from(revision).unwrap_or(i64::MAX);
            request.payload = Some(content.payload.clone());
            let header =
                |header: &redrive_model::Header| Header { name: header.name.clone(), value: header.value.clone() };
            request.headers = Some(HeaderList { headers: content.headers.iter().map(header).collect() });
        }
        let edited = self.letters_of(&edit.queue).edit(request).await;
        let edited = edited.map_err(|error| RequestSubject::of(&edit.queue).error(error))?;
        letter_info(&edited).ok_or_else(not_understood)
    }

    /// The wire has texts for notes.
    pub(super) async fn annotate(&self, annotate: Annotate) -> Result<(), StoreError> {
        let text = String::from_utf8(annotate.note.into());
        let text = text.map_err(|_| StoreError::NotOffered("a note that is no text"))?;
        let noted = self.letters_of(&annotate.queue).annotate(annotate.letter.to_string(), text, Vec::new()).await;
        noted.map(|_| ()).map_err(|error| RequestSubject::of(&annotate.queue).error(error))
    }

    pub(super) async fn letter(&self, get: GetLetter) -> Result<FullLetter, StoreError> {
        self.check_reason()?;
        let shown = self.letters_of(&get.queue).reveal(get.letter.to_string()).await;
        let shown = shown.map_err(|error| RequestSubject::of(&get.queue).error(error))?;
        letter_record(shown).ok_or_else(not_understood)
    }

    /// A letter without its payload would be taken for one whose payload is empty.
    fn check_reason(&self) -> Result<(), StoreError> {
        match self.client.reason {
            Some(_) => Ok(()),
            None => Err(StoreError::NotOffered("the payload of a letter, by a client that gives no reason,")),
        }
    }

    pub(super) async fn list_letters(&self, list: ListLetters) -> Result<Vec<StoredItem>, StoreError> {
        self.check_reason()?;
        let mut found = Vec::new();
        let mut after = list.after.map(|after| after.to_string()).unwrap_or_default();
        while found.len() < list.limit {
            let request = LettersListRequest {
                statuses: list.statuses.iter().map(ToString::to_string).collect(),
                after,
                limit: number((list.limit - found.len()).min(PAGE_MAX)),
                ..LettersListRequest::default()
            };
            let page = self.letters_of(&list.queue).list(request).await;
            let page = page.map_err(|error| RequestSubject::of(&list.queue).error(error))?;
            for letter in &page.letters {
                let info = letter_info(letter).ok_or_else(not_understood)?;
                let id = info.letter.as_ref().map(|letter| letter.id).ok_or_else(not_understood)?;
                match self.letter(GetLetter { queue: list.queue.clone(), letter: id }).await {
                    Ok(letter) => found.push(StoredItem { info, content: letter.content, context: None }),
                    // Gone meanwhile: it is in no list any more.
                    Err(StoreError::Rejected(Rejection::NoSuchLetter(_))) => {}
                    Err(error) => return Err(error),
                }
            }
            if page.next.is_empty() {
                break;
            }
            after = page.next;
        }
        Ok(found)
    }

    pub(super) async fn find_letters(&self, find: FindLetters) -> Result<FoundLetters, StoreError> {
        let request = LettersListRequest {
            statuses: find.statuses.iter().map(ToString::to_string).collect(),
            filter: filter_of(&find),
            after: find.after.map(|after| after.to_string()).unwrap_or_default(),
            limit: number(find.limit.clamp(1, PAGE_MAX)),
            ..LettersListRequest::default()
        };
        let page = self.letters_of(&find.queue).list(request).await;
        let page = page.map_err(|error| RequestSubject::of(&find.queue).error(error))?;
        let letters = page.letters.iter().map(letter_info).collect::<Option<_>>().ok_or_else(not_understood)?;
        let next = (!page.next.is_empty()).then(|| page.next.parse()).transpose().map_err(|_| not_understood())?;
        Ok(FoundLetters { letters, next })
    }

    pub(super) async fn faults(&self, groups: Groups) -> Result<Vec<FaultGroup>, StoreError> {
        let mut found = Vec::new();
        let mut after = groups.after.map(|after| after.to_string()).unwrap_or_default();
        while found.len() < groups.limit {
            let limit = number((groups.limit - found.len()).min(PAGE_MAX));
            let page = self.letters_of(&groups.queue).groups(after, limit).await;
            let page = page.map_err(|error| RequestSubject::of(&groups.queue).error(error))?;
            for group in &page.groups {
                found.push(fault_group(group).ok_or_else(not_understood)?);
            }
            if page.next.is_empty() {
                break;
            }
            after = page.next;
        }
        Ok(found)
    }
}

fn texts(letters: &[LetterId]) -> Vec<String> {
    letters.iter().map(ToString::to_string).collect()
}

fn counted(changed: i64) -> Result<u64, StoreError> {
    u64::try_from(changed).map_err(|_| not_understood())
}

/// What is looked for, as a server is asked for it.
fn filter_of(find: &FindLetters) -> String {
    // A text of JSON is one of CEL, too.
    let equals = |field: &str, text: &str| format!("{field} == {}", Value::from(text));
    let category = find.category.map(|category| equals("category", category.as_str()));
    let fingerprint = find.fingerprint.map(|fingerprint| equals("fingerprint", &fingerprint.to_string()));
    let source_id = find.source_id.as_deref().map(|source_id| equals("source_id", source_id));
    let demands: Vec<String> = [category, fingerprint, source_id].into_iter().flatten().collect();
    demands.join(" && ")
}
