//! The identity of a record that failed: its place in a topic, and how often it was handed back.
//!
//! A record that is handed back has another offset. Its headers say which record it was at first, so that a further
//! failure is one of the same letter.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use redrive_model::{Content, Header, Origin};

use crate::log::TopicPartition;
use crate::record::{Nulls, Record, time_of};
use crate::settings::is_topic;

/// The headers of a record that was handed back. All are UTF-8 text. Their prefix keeps them apart from those of users and
/// of DLQ topics.
mod names {
    pub(crate) const VERSION: &str = "redrive-replay-version";
    pub(crate) const COUNT: &str = "redrive-replay-count";
    pub(crate) const TOPIC: &str = "redrive-replay-topic";
    pub(crate) const PARTITION: &str = "redrive-replay-partition";
    pub(crate) const OFFSET: &str = "redrive-replay-offset";
    pub(crate) const TIMESTAMP: &str = "redrive-replay-timestamp";
    pub(crate) const GROUP: &str = "redrive-replay-group";
    pub(crate) const ALL: [&str; 7] = [VERSION, COUNT, TOPIC, PARTITION, OFFSET, TIMESTAMP, GROUP];
}

/// The version of the headers. Those of another version are content like any header.
const VERSION: &str = "1";

/// The highest count of hand-backs that is believed. The next failure of a letter with the greatest number could not be
/// distinguished from a repeated report.
const REPLAYS_MAX: u32 = 1_000_000;

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
    /// reaches all groups of its topic: the failure of another one is not a further failure of the same work. Nor is that
    /// of a record in another topic, to which a program has passed the headers on.
    #[must_use]
    pub(crate) fn before_hand_back(self, headers: &[Header]) -> Self {
        let is_other = |earlier: &Self| {
            let groups = earlier.group.as_ref().zip(self.group.as_ref());
            earlier.topic != self.topic || groups.is_some_and(|(earlier, group)| earlier != group)
        };
        match Self::read(headers).filter(|earlier| !is_other(earlier)) {
            Some(earlier) => Self { group: earlier.group.clone().or(self.group), ..earlier },
            None => self,
        }
    }

    /// The source that the headers of a hand-back name.
    fn read(headers: &[Header]) -> Option<Self> {
        let last = |name: &str| headers.iter().rev().find(|header| header.name == name);
        let text = |name: &str| std::str::from_utf8(&last(name)?.value).ok();
        let is_known = text(names::VERSION)? == VERSION;
        Some(Self {
            topic: text(names::TOPIC).filter(|topic| is_topic(topic))?.into(),
            partition: text(names::PARTITION)?.parse().ok().filter(|partition| *partition >= 0)?,
            offset: text(names::OFFSET)?.parse().ok().filter(|offset| *offset >= 0)?,
            timestamp: text(names::TIMESTAMP).and_then(|millis| millis.parse().ok()),
            group: text(names::GROUP).map(Arc::from),
            replays: text(names::COUNT)?.parse().ok().filter(|count| is_known && (1..=REPLAYS_MAX).contains(count))?,
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

    /// The same for one of several records with this place: a topic that is created again uses its offsets again.
    pub(crate) fn id_with_content(&self, content: &Content) -> String {
        format!("{}#{:032x}", self.id(), u128::from_be_bytes(content.digest()))
    }

    pub(crate) fn origin(&self) -> Origin {
        Origin {
            transport: transport(),
            name: Arc::clone(&self.topic),
            consumer: self.group.clone(),
            partition: Some(i64::from(self.partition)),
            offset: Some(self.offset),
            timestamp: self.timestamp.map(time_of),
            replays: self.replays,
            ..Origin::default()
        }
    }
}

/// An origin whose message is known by an id rather than by its place, which belongs to another letter.
pub(crate) fn identified_by(origin: &Origin, id: String) -> Origin {
    let Origin { transport, name, server, consumer, .. } = origin.clone();
    Origin { transport, name, server, consumer, message_id: Some(id), ..Origin::default() }
}

/// The transport of all origins of this crate.
pub(crate) const TRANSPORT: &str = "kafka";

pub(crate) fn transport() -> Arc<str> {
    static SHARED: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from(TRANSPORT));
    Arc::clone(&SHARED)
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
        if nulls.has_header(index) {
            kept_nulls.headers.push(kept.len());
        }
        kept.push(header.clone());
    }
    (kept, kept_nulls)
}

/// Tells the headers of a hand-back from the content of the record. Those that name no source, because they are incomplete
/// or of another version, are content.
pub(crate) fn hand_back_headers(headers: &[Header]) -> impl Fn(&Header) -> bool + use<> {
    let is_handed_back = SourceRecord::read(headers).is_some();
    move |header| is_handed_back && names::ALL.contains(&header.name.as_str())
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

    /// A program may pass the headers of its input on to its output, as Kafka Streams does.
    #[test]
    fn headers_that_were_passed_on_to_another_topic_name_no_source() {
        let derived = SourceRecord { topic: "orders-enriched".into(), ..handed_back(Some("billing")) };
        assert_eq!(derived.clone().before_hand_back(&source().next_headers()), derived);
    }

    #[test]
    fn only_complete_headers_of_a_hand_back_are_not_content() {
        let own = |name: &str| Header { name: name.to_owned(), value: Bytes::from_static(b"7") };
        let headers = [own(names::TOPIC), own(names::COUNT), own("x-source-topic"), own("x-replay-count")];
        let is_of_hand_back = hand_back_headers(&headers);
        assert!(!headers.iter().any(is_of_hand_back), "there is no version");
        let mut headers = source().next_headers();
        headers.extend([own("x-source-topic"), own("redrive-letter-id")]);
        let is_of_hand_back = hand_back_headers(&headers);
        let kept: Vec<&str> =
            headers.iter().filter(|header| !is_of_hand_back(header)).map(|header| header.name.as_str()).collect();
        assert_eq!(kept, ["x-source-topic", "redrive-letter-id"]);
    }

    #[test]
    fn damaged_or_foreign_headers_of_a_hand_back_are_ignored() {
        let own = handed_back(Some("billing"));
        let cases: &[(&str, &[u8])] = &[
            (names::VERSION, b"2"),
            (names::COUNT, b"0"),
            (names::COUNT, b"-1"),
            (names::COUNT, b"many"),
            (names::COUNT, b"1000001"),
            (names::COUNT, b"4294967295"),
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
        let dropped = [names::COUNT, names::TOPIC];
        let (kept, kept_nulls) = without(&headers, &nulls, |_, header| dropped.contains(&header.name.as_str()));
        let kept: Vec<&str> = kept.iter().map(|header| header.name.as_str()).collect();
        assert_eq!((kept, kept_nulls), (vec!["a", "b", "a", "c"], Nulls { value: true, headers: vec![0, 2, 3] }));
    }
}
