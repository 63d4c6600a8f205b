//! The topics to which letters may be handed back.

use redrive_core::{Invalid, Problem};
use regex::Regex;

use crate::settings::{check_topic, is_topic};

#[derive(Debug, Clone)]
pub(super) struct TopicRules {
    allowed: Vec<TopicPattern>,
    /// The DLQ topics that are read: they take precedence.
    denied: Vec<TopicPattern>,
}

#[derive(Debug, Clone)]
enum TopicPattern {
    Name(String),
    /// As in a subscription, it matches the beginning of a name.
    Expression(Regex),
}

impl TopicRules {
    pub(super) fn new(topics: &[String], dlq_topics: &[String]) -> Result<Self, Invalid> {
        let patterns = |field, topics: &[String]| {
            topics.iter().map(|topic| TopicPattern::new(field, topic)).collect::<Result<Vec<_>, Invalid>>()
        };
        Ok(Self { allowed: patterns("topics", topics)?, denied: patterns("dlq_topics", dlq_topics)? })
    }

    /// Why nothing is handed back to this topic.
    pub(super) fn check(&self, topic: &str) -> Result<(), String> {
        if !is_topic(topic) {
            return Err("the name of its origin is not a topic".to_owned());
        }
        if self.denied.iter().any(|pattern| pattern.matches(topic)) {
            return Err(format!("its origin '{topic}' is a DLQ topic that is read into letters"));
        }
        if !self.allowed.iter().any(|pattern| pattern.matches(topic)) {
            return Err(format!("topic '{topic}' is not among the topics to which its letters may be handed back"));
        }
        Ok(())
    }
}

impl TopicPattern {
    fn new(field: &'static str, topic: &str) -> Result<Self, Invalid> {
        if !topic.starts_with('^') {
            check_topic(field, topic)?;
            return Ok(Self::Name(topic.to_owned()));
        }
        let allowed = "names, or regular expressions that begin with ^";
        Regex::new(topic).map(Self::Expression).map_err(|_| Invalid::new(field, Problem::Malformed, topic, allowed))
    }

    fn matches(&self, topic: &str) -> bool {
        match self {
            Self::Name(name) => name == topic,
            Self::Expression(expression) => expression.is_match(topic),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(topics: &[&str], dlq_topics: &[&str]) -> Result<TopicRules, Invalid> {
        let owned = |topics: &[&str]| topics.iter().map(|topic| (*topic).to_owned()).collect::<Vec<_>>();
        TopicRules::new(&owned(topics), &owned(dlq_topics))
    }

    #[test]
    fn only_listed_topics_are_allowed_and_dlq_topics_never() {
        let rules = rules(&["orders", "^returns-.*"], &["returns-dead", "^.*\\.dlq$"]).unwrap();
        for topic in ["orders", "returns-1", "returns-dlq"] {
            assert_eq!(rules.check(topic), Ok(()), "{topic}");
        }
        for topic in ["order", "orders2", "my-returns-1", "ORDERS"] {
            let why = rules.check(topic).unwrap_err();
            assert_eq!(why, format!("topic '{topic}' is not among the topics to which its letters may be handed back"));
        }
        for topic in ["returns-dead", "returns-1.dlq"] {
            assert!(rules.check(topic).unwrap_err().contains("is a DLQ topic that is read"), "{topic}");
        }
        for topic in ["", "..", "no topic", "orders\n", "a/b"] {
            assert_eq!(rules.check(topic).unwrap_err(), "the name of its origin is not a topic");
        }
    }

    #[test]
    fn nothing_is_allowed_by_default() {
        assert!(rules(&[], &[]).unwrap().check("orders").is_err());
    }

    #[test]
    fn a_wrong_pattern_is_an_error_that_names_it() {
        for (topics, dlq_topics, field) in [(["^orders-["], ["x"], "topics"), (["x"], ["no topic"], "dlq_topics")] {
            let error = rules(&topics, &dlq_topics).unwrap_err().to_string();
            assert!(error.contains(field), "{error}");
        }
    }
}
