//! The identity of a record that failed: its place in a topic, and how often it was handed back.
//!
//! A record that is handed back has another offset. Its headers say which record it was at first, so that a further
//! failure is one of the same letter.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use redrive_model::{Header, Origin};

use crate::log::TopicPartition;
use crate::record::{Nulls, Record, time_of};
use crate::settings::is_topic;

/// The headers of a record that was handed back. All are UTF-8 text.
pub(crate) mod names {
    pub(crate) const VERSION: &str = "x-replay-version";
    pub(crate) const COUNT: &str = "x-replay-count";
    pub(crate) const TOPIC: &str = "x-source-topic";
    pub(crate) const PARTITION: &str = "x-source-partition";
    pub(crate) const OFFSET: &str = "x-source-offset";
    pub(crate) const TIMESTAMP: &str = "x-source-timestamp";
    pub(crate) const GROUP: &str = "x-source-group";
    pub(crate) const ALL: [&str; 7] = [VERSION, COUNT, TOPIC, PARTITION, OFFSET, TIMESTAMP, GROUP];
}

/// The version of the headers. Those of another version are content like any header.
const VERSION: &str = "1";

/// The record that a failure is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceRecord {
    pub(crate) topic: Arc<str>,
    pub(crate) partition: i32,
    pub(crate) offset: i64,
    /// Milliseconds since 1970. A topic that is deleted and created again uses its offsets again, with other timestamps.
    pub(crate) timestamp: Option<i64>,
    /// The consumer that failed.
    pub(crate) group: Option<Arc<str>>,
    /// How often the record was handed back before it failed.
    pub(crate) replays: u32,
}

impl SourceRecord {
    pub(crate) fn new(group: &Arc<str>, at: &TopicPartition, record: &Record) -> Self {
        Self {
            topic: Arc::clone(&at.topic),
            partition: at.partition,
            offset: record.offset,
            timestamp: record.timestamp,
            group: Some(Arc::clone(group)),
            replays: 0,
        }
    }

    /// The record that this one was before it was handed back, if its headers say so. A record that is handed back
    /// reaches all groups of its topic: the failure of another one is not a further failure of the same work.
    #[must_use]
    pub(crate) fn before_hand_back(self, headers: &[Header]) -> Self {
        let is_other = |earlier: &Self| {
            earlier.group.as_ref().zip(self.group.as_ref()).is_some_and(|(earlier, group)| earlier != group)
        };
        match Self::read(headers).filter(|earlier| !is_other(earlier)) {
            Some(earlier) => Self { group: earlier.group.clone().or(self.group), ..earlier },
            None => self,
        }
    }

    /// The source that the headers of a hand-back name.
    fn read(headers: &[Header]) -> Option<Self> {
        let text = |name: &str| last_text(headers, name);
        let is_known = text(names::VERSION)? == VERSION;
        Some(Self {
            topic: text(names::TOPIC).filter(|topic| is_topic(topic))?.into(),
            partition: text(names::PARTITION)?.parse().ok().filter(|partition| *partition >= 0)?,
            offset: text(names::OFFSET)?.parse().ok().filter(|offset| *offset >= 0)?,
            timestamp: text(names::TIMESTAMP).and_then(|millis| millis.parse().ok()),
            group: text(names::GROUP).map(Arc::from),
            replays: text(names::COUNT)?.parse().ok().filter(|count| is_known && *count > 0)?,
        })
    }

    /// The source of a letter; `None` if its origin is no record.
    pub(crate) fn of_origin(origin: &Origin) -> Option<Self> {
        Some(Self {
            topic: Arc::clone(&origin.name),
            partition: i32::try_from(origin.partition?).ok()?,
            offset: origin.offset?,
            timestamp: origin.timestamp.map(|time| time.as_micros().div_euclid(1_000)),
            group: origin.consumer.clone(),
            replays: origin.replays,
        })
    }

    /// The headers of the next hand-back.
    pub(crate) fn next_headers(&self) -> Vec<Header> {
        let header = |name: &str, value: String| Header { name: name.to_owned(), value: Bytes::from(value) };
        let mut headers = vec![
            header(names::VERSION, VERSION.to_owned()),
            header(names::COUNT, self.replays.saturating_add(1).to_string()),
            header(names::TOPIC, self.topic.to_string()),
            header(names::PARTITION, self.partition.to_string()),
            header(names::OFFSET, self.offset.to_string()),
        ];
        headers.extend(self.timestamp.map(|millis| header(names::TIMESTAMP, millis.to_string())));
        headers.extend(self.group.as_ref().map(|group| header(names::GROUP, group.to_string())));
        headers
    }

    /// The source id of a letter about the record.
    pub(crate) fn id(&self) -> String {
        let timestamp = self.timestamp.map(|millis| format!("@{millis}")).unwrap_or_default();
        format!("{}/{}/{}{timestamp}", self.topic, self.partition, self.offset)
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin {
            transport: transport(),
            name: Arc::clone(&self.topic),
            consumer: self.group.clone(),
            partition: Some(i64::from(self.partition)),
            offset: Some(self.offset),
            timestamp: self.timestamp.map(time_of),
            message_id: None,
            replays: self.replays,
        }
    }
}

/// The transport of all origins of this crate.
pub(crate) const TRANSPORT: &str = "kafka";

pub(crate) fn transport() -> Arc<str> {
    static SHARED: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(TRANSPORT));
    Arc::clone(&SHARED)
}

/// The value of the last header with this name.
pub(crate) fn last<'h>(headers: &'h [Header], name: &str) -> Option<&'h Bytes> {
    headers.iter().rev().find(|header| header.name == name).map(|header| &header.value)
}

/// The same, if it is text.
pub(crate) fn last_text<'h>(headers: &'h [Header], name: &str) -> Option<&'h str> {
    std::str::from_utf8(last(headers, name)?).ok()
}

/// Headers without those for which `is_dropped` is true, with the indexes of nulls for what is left.
pub(crate) fn without(
    headers: &[Header],
    nulls: &Nulls,
    mut is_dropped: impl FnMut(usize, &Header) -> bool,
) -> (Vec<Header>, Nulls) {
    let mut kept = Vec::with_capacity(headers.len());
    let mut kept_nulls = Nulls { value: nulls.value, headers: Vec::new() };
    for (index, header) in headers.iter().enumerate() {
        if is_dropped(index, header) {
            continue;
        }
        if nulls.headers.contains(&index) {
            kept_nulls.headers.push(kept.len());
        }
        kept.push(header.clone());
    }
    (kept, kept_nulls)
}

/// Whether a header belongs to a hand-back rather than to the content of the record.
pub(crate) fn is_of_hand_back(header: &Header) -> bool {
    names::ALL.contains(&header.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> SourceRecord {
        SourceRecord {
            topic: "orders".into(),
            partition: 3,
            offset: 8_131,
            timestamp: Some(1_794_744_060_250),
            group: Some("billing".into()),
            replays: 0,
        }
    }

    /// The same source, after one more hand-back.
    fn replayed(source: &SourceRecord) -> SourceRecord {
        SourceRecord { replays: source.replays + 1, ..source.clone() }
    }

    fn handed_back(group: Option<&str>) -> SourceRecord {
        SourceRecord { partition: 0, offset: 9_000, group: group.map(Arc::from), ..source() }
    }

    #[test]
    fn the_headers_of_a_hand_back_lead_back_to_the_first_record() {
        let headers = source().next_headers();
        assert_eq!(handed_back(Some("billing")).before_hand_back(&headers), replayed(&source()));
        let again = replayed(&source()).next_headers();
        assert_eq!(handed_back(None).before_hand_back(&again).replays, 2);
        let bare = SourceRecord { timestamp: None, group: None, ..source() };
        let found = handed_back(Some("billing")).before_hand_back(&bare.next_headers());
        assert_eq!(found, SourceRecord { group: Some("billing".into()), ..replayed(&bare) });
    }

    #[test]
    fn the_failure_of_another_group_is_about_the_record_that_was_handed_back() {
        let headers = source().next_headers();
        assert_eq!(handed_back(Some("shipping")).before_hand_back(&headers), handed_back(Some("shipping")));
    }

    #[test]
    fn damaged_or_foreign_headers_of_a_hand_back_are_ignored() {
        let own = handed_back(Some("billing"));
        let cases: &[(&str, &[u8])] = &[
            (names::VERSION, b"2"),
            (names::COUNT, b"0"),
            (names::COUNT, b"-1"),
            (names::COUNT, b"many"),
            (names::TOPIC, b"no topic"),
            (names::TOPIC, b""),
            (names::PARTITION, b"-1"),
            (names::PARTITION, b"4294967296"),
            (names::OFFSET, b"\xff\xfe"),
            (names::OFFSET, b""),
        ];
        for (name, value) in cases {
            let mut headers = source().next_headers();
            headers.push(Header { name: (*name).to_owned(), value: Bytes::from_static(value) });
            assert_eq!(own.clone().before_hand_back(&headers), own, "{name}");
        }
        for name in [names::VERSION, names::COUNT, names::TOPIC, names::PARTITION, names::OFFSET] {
            let mut headers = source().next_headers();
            headers.retain(|header| header.name != name);
            assert_eq!(own.clone().before_hand_back(&headers), own, "without {name}");
        }
    }

    #[test]
    fn nulls_follow_their_headers_when_others_are_dropped() {
        let names = ["a", names::COUNT, "b", "a", names::TOPIC, "c"];
        let headers: Vec<Header> =
            names.iter().map(|name| Header { name: (*name).to_owned(), value: Bytes::new() }).collect();
        let nulls = Nulls { value: true, headers: vec![0, 1, 3, 5] };
        let (kept, kept_nulls) = without(&headers, &nulls, |_, header| is_of_hand_back(header));
        let kept: Vec<&str> = kept.iter().map(|header| header.name.as_str()).collect();
        assert_eq!((kept, kept_nulls), (vec!["a", "b", "a", "c"], Nulls { value: true, headers: vec![0, 2, 3] }));
    }
}
