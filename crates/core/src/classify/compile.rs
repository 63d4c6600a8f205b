//! Compiles the tables to a lexicon.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::lexicon::{
    Form, HttpWords, Lexicon, Meaning, NO_RULE, NO_WORD, Phrase, Prefix, RecentWords, RowRule, RuleIndex, WordId,
    better,
};
use super::table::Tables;
use crate::Category;

impl Lexicon {
    pub(crate) fn built_in() -> &'static Self {
        static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::compile(&Tables::built_in()));
        &LEXICON
    }

    pub(crate) fn compile(tables: &Tables) -> Self {
        Compiler::default().compile(tables)
    }
}

/// Builds a lexicon. The maps are ordered by text so that the result is deterministic.
#[derive(Default)]
struct Compiler {
    rules: Vec<RowRule>,
    words: BTreeMap<&'static str, WordId>,
    stems: BTreeMap<&'static str, WordId>,
    endings: BTreeMap<WordId, Vec<Phrase>>,
    meanings: BTreeMap<String, Meaning>,
    prefixes: Vec<Prefix>,
}

impl Compiler {
    fn compile(mut self, tables: &Tables) -> Lexicon {
        let http = HttpWords {
            http: self.word("http"),
            status: self.word("status"),
            code: self.word("code"),
            status_code: self.word("statuscode"),
        };
        for row in &tables.finals {
            let rule = self.rule(Form::Final, Category::Permanent, 0, row);
            self.phrase(row, rule);
        }
        for (group, (category, rows)) in (0u8..).zip(&tables.phrases) {
            for row in rows {
                let rule = self.rule(Form::Phrase, *category, group, row);
                self.phrase(row, rule);
            }
        }
        for (group, (category, rows)) in (0u8..).zip(&tables.words) {
            for row in rows {
                let rule = self.rule(Form::Word, *category, group, row);
                match row.strip_suffix('*') {
                    Some(prefix) => self.prefixes.push(Prefix { text: prefix.as_bytes(), stem: NO_WORD, row: rule }),
                    None => self.meaning(row).row = rule,
                }
            }
        }
        for (index, (first, seconds)) in tables.settings.iter().enumerate() {
            self.meaning(first).setting = u8::try_from(index + 1).unwrap_or(0);
            for second in seconds {
                self.meaning(second).ends_setting |= 1 << index;
                self.meaning(&format!("{first}{second}")).is_setting = true;
            }
        }
        self.finish(http)
    }

    fn rule(&mut self, form: Form, category: Category, group: u8, row: &'static str) -> RuleIndex {
        let limits_rate = matches!(row, "rate limit*" | "too many requests" | "throttl*" | "ratelimit*");
        self.rules.push(RowRule { form, category, group, row, limits_rate });
        index(self.rules.len() - 1)
    }

    fn word(&mut self, word: &'static str) -> WordId {
        let id = intern(&mut self.words, &self.stems, word);
        self.meaning(word).word = id;
        id
    }

    fn stem(&mut self, stem: &'static str) -> WordId {
        let known = self.stems.get(stem).copied();
        known.unwrap_or_else(|| {
            let id = intern(&mut self.stems, &self.words, stem);
            self.prefixes.push(Prefix { text: stem.as_bytes(), stem: id, row: NO_RULE });
            id
        })
    }

    fn meaning(&mut self, token: &str) -> &mut Meaning {
        self.meanings.entry(token.to_owned()).or_insert(Meaning::NONE)
    }

    fn phrase(&mut self, row: &'static str, rule: RuleIndex) {
        for variant in variants(row) {
            let Some((last, before)) = variant.split_last() else { continue };
            let last = match last.strip_suffix('*') {
                Some(stem) => self.stem(stem),
                None => self.word(last),
            };
            assert!(before.len() <= RecentWords::LEN, "a phrase of the tables is longer than a scan remembers");
            let words = before.iter().fold(RecentWords::default(), |words, word| words.followed_by(self.word(word)));
            let phrase = Phrase { before: words, before_len: before.len(), rule };
            self.endings.entry(last).or_default().push(phrase);
            // A stem is used as a whole word here: `ratelimit` is the phrase, `ratelimited` a word row.
            let joined = variant.concat().replace('*', "");
            let known = self.meaning(&joined).joined;
            let best = better(&self.rules, known, rule);
            self.meaning(&joined).joined = best;
        }
    }

    fn finish(self, http: HttpWords) -> Lexicon {
        let count = self.words.len() + self.stems.len() + 1;
        let mut endings: Vec<Vec<Phrase>> = (0..count).map(|_| Vec::new()).collect();
        for (word, phrases) in self.endings {
            endings[usize::from(word)] = phrases;
        }
        let mut lexicon = Lexicon::empty(self.rules, http, endings);
        for prefix in self.prefixes {
            lexicon.add_prefix(prefix);
        }
        // Shorter tokens first: `insert` looks up the base form of a token with a suffix.
        let mut meanings: Vec<_> = self.meanings.into_iter().collect();
        meanings.sort_by_key(|(token, _)| token.len());
        for (token, meaning) in meanings {
            lexicon.insert(&token, meaning);
        }
        lexicon
    }
}

fn intern(
    own: &mut BTreeMap<&'static str, WordId>,
    others: &BTreeMap<&'static str, WordId>,
    word: &'static str,
) -> WordId {
    let next = index(own.len() + others.len() + 1);
    *own.entry(word).or_insert(next)
}

fn index(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

/// All variants of a row, with and without each optional word.
fn variants(row: &'static str) -> Vec<Vec<&'static str>> {
    row.split(' ').fold(vec![Vec::new()], |variants, word| {
        let optional = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        let with = variants.iter().map(|variant| [variant.as_slice(), &[optional.unwrap_or(word)]].concat());
        match optional {
            Some(_) => with.chain(variants.iter().cloned()).collect(),
            None => with.collect(),
        }
    })
}
