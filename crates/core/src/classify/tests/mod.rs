//! Tests that need internals of the classifier: tables with a row removed, and a second implementation.

mod naive;
mod reference;
mod rows;

use proptest::prelude::*;

use crate::{Classifier, Failure};

/// `usual` cases, multiplied by `REDRIVE_SOAK` if it is set.
fn cases(usual: u32) -> ProptestConfig {
    let factor = std::env::var("REDRIVE_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    ProptestConfig::with_cases(usual.saturating_mul(factor))
}

/// Pieces of messages: the words of every rule, and near misses.
fn piece() -> impl Strategy<Value = String> {
    let words: Vec<String> = reference::rows()
        .iter()
        .flat_map(|row| row.spellings(""))
        .flat_map(|words| [words.join(" "), words.concat(), words.last().cloned().unwrap_or_default()])
        .collect();
    let pairs: Vec<String> = reference::settings().iter().map(|(first, second)| format!("{first} {second}")).collect();
    let known = prop::sample::select(words);
    let noise = prop::sample::select(vec![
        "order",
        "author",
        "is",
        "has",
        "too",
        "many",
        "error",
        "Exception",
        "HTTP",
        "HTTP/1.1",
        "status",
        "status code",
        "429",
        "403",
        "500",
        "17",
        "Not Found",
        "Forbidden",
        "Too Many Requests",
        "client error",
        "Server Error",
        "http://a.b/connection?x=timed out",
        "s3://disk/quota",
        "\nHint: connection",
        ". Please check the timeout",
        "(fix: dns)",
        ". See: timeout",
        "- Docs: dns",
        "é",
        "übertimeout",
        "‘socket’",
        "x".repeat(60).leak() as &str,
        "classless",
        "information",
        "Error:",
        "TimeoutError:",
        "a.b.IoError:",
        "E_NO_SPACE:",
        "EPIPE:",
        "limits",
        "limiting",
    ])
    .prop_map(str::to_owned);
    let cased =
        (prop_oneof![3 => known, 1 => prop::sample::select(pairs), 2 => noise], 0..4u8).prop_map(|(text, case)| {
            match case {
                0 => text.to_uppercase(),
                1 => text
                    .split(' ')
                    .map(|word| {
                        word.chars()
                            .next()
                            .map_or(String::new(), |c| c.to_uppercase().to_string() + &word[c.len_utf8()..])
                    })
                    .collect(),
                _ => text,
            }
        });
    (cased, prop::sample::select(vec!["", "error", "Errors", "exception", "s", "ed"]))
        .prop_map(|(text, suffix)| text + suffix)
}

fn message() -> impl Strategy<Value = String> {
    let gap = prop::sample::select(vec![" ", " ", " ", "_", "-", ": ", "", ". ", "/", "\n", " - ", ".", "  ", ", "]);
    let built = prop::collection::vec((piece(), gap), 0..7)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, gap)| [piece, gap.to_owned()]).collect::<String>());
    prop_oneof![9 => built, 1 => any::<String>()]
}

proptest! {
    #![proptest_config(cases(2_000))]

    /// The single pass, interned words, ranks and early exits of the scanner do not change the result.
    #[test]
    fn the_scanner_agrees_with_the_naive_implementation(message in message()) {
        thread_local!(static NAIVE: naive::Naive = naive::Naive::new());
        let failure = Failure::new(message.clone());
        let found = Classifier::built_in().classify(&failure, 1);
        let expected = NAIVE.with(|naive| naive.classify(&message));
        prop_assert_eq!((found.category, found.rule.to_string()), expected, "{:?}", message);
    }
}
