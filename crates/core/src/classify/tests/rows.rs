//! Every row of the tables is needed: texts made from it are classified by it, and differently without it.

use proptest::prelude::*;

use super::reference::{Form, REASONS, Row, http, reasons, rows, settings};
use crate::classify::lexicon::Lexicon;
use crate::classify::table::Tables;
use crate::{Category, Classifier, Failure, Kind};

/// A failure and its expected classification.
#[derive(Debug, Clone)]
struct Expected {
    failure: Failure,
    category: Category,
    rule: String,
}

impl Expected {
    fn text(text: String, category: Category, rule: String) -> Self {
        Self { failure: Failure::new(text), category, rule }
    }

    fn holds(&self, classifier: &Classifier) -> bool {
        let found = classifier.classify(&self.failure, 1);
        found.category == self.category && found.rule.to_string() == self.rule
    }
}

fn prefix(row: &Row) -> &'static str {
    match row.form {
        Form::Final => "final",
        Form::Phrase => "phrase",
        Form::Word => "word",
    }
}

fn camel(words: &[String]) -> String {
    let capital = |word: &String| word[..1].to_uppercase() + &word[1..];
    words.iter().map(capital).collect()
}

/// The messages that a row must match, with `suffix` for its `*`.
fn messages_of(row: &Row, suffix: &str) -> Vec<Expected> {
    let rule = format!("{}:{}", prefix(row), row.text);
    let mut texts = Vec::new();
    for words in row.spellings(suffix) {
        texts.extend([
            words.join(" "),
            words.join("_").to_uppercase(),
            words.join("-"),
            camel(&words),
            words.join(", "),
        ]);
        if !row.text.contains('*') {
            texts.extend([words.concat(), words.concat() + "exception"]);
        }
        if row.form == Form::Word {
            texts.push(words.concat() + "Errors");
        }
    }
    texts.into_iter().map(|text| Expected::text(text, row.category, rule.clone())).collect()
}

/// The type names that a row must match.
fn names_of(row: &Row, suffix: &str) -> Vec<Expected> {
    let rule = if row.form == Form::Final { "final" } else { "name" };
    let by_name = |words: Vec<String>| {
        let kind: Kind = camel(&words).parse().expect("letters only");
        Expected {
            failure: Failure::of_kind(kind, "xyz"),
            category: row.category,
            rule: format!("{rule}:{}", row.text),
        }
    };
    row.spellings(suffix).into_iter().map(by_name).collect()
}

/// Texts that name a setting and report no event.
fn texts_of_setting(first: &str, second: &str) -> Vec<Expected> {
    let nothing = |text: String| Expected::text(text, Category::Permanent, "default".into());
    if first == "access" {
        // No row consists of "access" alone; the removal shows in that the words around it become adjacent.
        let text = |setting: &str| {
            let rule = "phrase:token (has) expired".into();
            Expected::text(format!("token {setting} expired"), Category::Permission, rule)
        };
        return vec![text(&format!("{first} {second}")), text(&format!("{first}{second}"))];
    }
    vec![
        nothing(format!("{first} {second} xyz")),
        nothing(format!("no such {first}_{second}")),
        nothing(camel(&[first.to_owned(), second.to_owned()])),
        nothing(format!("{first}{second}")),
    ]
}

fn all_texts() -> Vec<Expected> {
    let of_rows = rows().into_iter().flat_map(|row| [messages_of(&row, "ed"), names_of(&row, "ed")].concat());
    of_rows.chain(settings().into_iter().flat_map(|(first, second)| texts_of_setting(first, second))).collect()
}

#[test]
fn every_status_is_known_by_its_reason() {
    let mut seen = 0;
    for status in 400..=599 {
        for reason in reasons(status) {
            let failure = Failure::new(format!("{status} {reason}"));
            let found = Classifier::built_in().classify(&failure, 1);
            assert_eq!(
                (found.rule.to_string(), found.category),
                (format!("http-text:{status}"), http(status)),
                "{reason}"
            );
            let other = Failure::new(format!("{} {reason}", if status == 418 { 419 } else { 418 }));
            let found = Classifier::built_in().classify(&other, 1);
            assert!(!found.rule.to_string().starts_with("http-text"), "the reason of another status: {reason}");
            seen += 1;
        }
    }
    assert_eq!(seen, REASONS.split(';').count());
}

#[test]
fn every_row_matches_its_texts() {
    let wrong: Vec<_> = all_texts().into_iter().filter(|expected| !expected.holds(Classifier::built_in())).collect();
    for expected in &wrong {
        let found = Classifier::built_in().classify(&expected.failure, 1);
        eprintln!(
            "{:?}: {} {}, found {} {}",
            expected.failure.error, expected.category, expected.rule, found.category, found.rule
        );
    }
    assert!(wrong.is_empty(), "{} texts were classified wrongly", wrong.len());
}

/// Runs the texts against the tables with one row removed, for each row. A removal without an effect would mean that no
/// test covers the row.
#[test]
fn no_row_can_be_deleted_unnoticed() {
    let texts = all_texts();
    let is_noticed = |tables: Tables| {
        let lexicon: &'static Lexicon = Box::leak(Box::new(Lexicon::compile(&tables)));
        let classifier = Classifier { user_rules: Vec::new(), lexicon };
        texts.iter().any(|expected| !expected.holds(&classifier))
    };
    assert!(!is_noticed(Tables::built_in()));

    let mut deleted = 0;
    let mut check = |what: String, tables: Tables| {
        assert!(is_noticed(tables), "no test covers {what}");
        deleted += 1;
    };
    let whole = Tables::built_in();
    for index in 0..whole.finals.len() {
        let mut tables = Tables::built_in();
        let row = tables.finals.remove(index);
        check(format!("the final phrase '{row}'"), tables);
    }
    for group in 0..whole.phrases.len() {
        for index in 0..whole.phrases[group].1.len() {
            let mut tables = Tables::built_in();
            let row = tables.phrases[group].1.remove(index);
            check(format!("the phrase '{row}'"), tables);
        }
    }
    for group in 0..whole.words.len() {
        for index in 0..whole.words[group].1.len() {
            let mut tables = Tables::built_in();
            let row = tables.words[group].1.remove(index);
            check(format!("the word '{row}'"), tables);
        }
    }
    for entry in 0..whole.settings.len() {
        for index in 0..whole.settings[entry].1.len() {
            let mut tables = Tables::built_in();
            let row = tables.settings[entry].1.remove(index);
            check(format!("the setting '{} {row}'", tables.settings[entry].0), tables);
        }
    }
    let written = rows().len() + settings().len();
    assert_eq!(deleted, written, "the tables have as many rows as the reference");
}

proptest! {
    /// Text around the words of a row does not change the classification.
    #[test]
    fn a_row_matches_in_any_context(
        row in prop::sample::select(rows()),
        before in "(while [xyz]{3} |\\[[0-9]{1,2}\\] |order [0-9]{4}, |«ünï» |)",
        after in "( of [qz]{4}|: [0-9]{4}| \\(#[0-9]{2}\\)|…|)",
        suffix in "(ed|s|ing|xyz)",
        spelling in any::<prop::sample::Index>(),
    ) {
        let texts = messages_of(&row, &suffix);
        let expected = spelling.get(&texts);
        let mut framed = expected.clone();
        framed.failure = Failure::new(format!("{before}{}{after}", expected.failure.error.message));
        // A leading identifier followed by a colon is a name, and the rule is a name rule then.
        let as_name = Expected { rule: format!("name:{}", row.text), ..framed.clone() };
        let is_final = row.form == Form::Final;
        prop_assert!(
            framed.holds(Classifier::built_in()) || (!is_final && before.is_empty() && as_name.holds(Classifier::built_in())),
            "{:?} is not {} {}", framed.failure.error.message, framed.category, framed.rule,
        );
    }
}
