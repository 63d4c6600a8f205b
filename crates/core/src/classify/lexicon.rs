//! The tables, compiled for one pass over a text.
//!
//! The role of a token in every rule depends on the token only: which word rows it matches, which phrases it may end,
//! which setting it may begin. All of that is computed once, so a scan costs one lookup in a small table per token.
//! Rules are ranked, and a scan keeps the best match, so each text is read only once.

use super::token::{PrefixFilter, Token};
use crate::Category;

/// An index into [`Lexicon::rules`].
pub(super) type RuleIndex = u16;
/// The interned id of a word in a phrase. [`NO_WORD`] for a token that is in no phrase.
pub(super) type WordId = u16;

pub(super) const NO_RULE: RuleIndex = RuleIndex::MAX;
pub(super) const NO_WORD: WordId = 0;
/// The longest phrase has five words.
pub(super) const PHRASE_WORDS_MAX: usize = 5;

/// The role of a token in the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) word: WordId,
    /// The stem (`limit*`) at the end of a phrase that the token begins with.
    pub(super) stem: WordId,
    /// The phrase whose words, joined, are this token.
    pub(super) joined: RuleIndex,
    /// The best word row that the token matches.
    pub(super) row: RuleIndex,
    /// 1 + the setting that this token may begin; 0 for none.
    pub(super) setting: u8,
    /// One bit per setting that this token may end.
    pub(super) ends_setting: u16,
    /// Whether the token is a complete setting, written as one word.
    pub(super) is_setting: bool,
}

impl Meaning {
    pub(super) const NONE: Self = Self {
        word: NO_WORD,
        stem: NO_WORD,
        joined: NO_RULE,
        row: NO_RULE,
        setting: 0,
        ends_setting: 0,
        is_setting: false,
    };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Final,
    Phrase,
    Word,
}

/// One row of the tables.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowRule {
    pub(super) form: Form,
    pub(super) category: Category,
    /// The position of the row's group among the groups of its form.
    pub(super) group: u8,
    pub(super) row: &'static str,
    /// Whether the row names a rate limit, which makes a 403 transient.
    pub(super) limits_rate: bool,
}

impl RowRule {
    /// The precedence of the row: final phrases, then phrases, then words.
    fn order(&self) -> (u8, u8) {
        let form = match self.form {
            Form::Final => 0,
            Form::Phrase => 1,
            Form::Word => 2,
        };
        (form, self.group)
    }
}

/// A sequence of tokens that matches a rule. The last may be a stem.
#[derive(Debug)]
pub(super) struct Phrase {
    /// The words before the last one.
    pub(super) before: RecentWords,
    pub(super) before_len: usize,
    pub(super) rule: RuleIndex,
}

/// The words before a token, nearest first, 16 bits each: as many as the longest phrase needs. They are packed so that
/// adding a word is a shift and comparing a phrase is one instruction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RecentWords(u64);

impl RecentWords {
    pub(super) const LEN: usize = PHRASE_WORDS_MAX - 1;

    #[must_use]
    pub(super) fn followed_by(self, word: WordId) -> Self {
        Self((self.0 << 16) | u64::from(word))
    }

    /// Whether the nearest `len` words equal those of `other`.
    pub(super) fn end_in(self, other: Self, len: usize) -> bool {
        let mask = u64::MAX.checked_shr(64 - 16 * u32::try_from(len).unwrap_or(4)).unwrap_or(0);
        (self.0 ^ other.0) & mask == 0
    }

    /// The word `places` positions back.
    pub(super) fn back(self, places: u32) -> WordId {
        WordId::try_from((self.0 >> (16 * places)) & 0xFFFF).unwrap_or(NO_WORD)
    }
}

/// Words that mark a number as an HTTP status.
#[derive(Debug, Clone, Copy)]
pub(super) struct HttpWords {
    pub(super) http: WordId,
    pub(super) status: WordId,
    pub(super) code: WordId,
    pub(super) status_code: WordId,
}

#[derive(Debug)]
pub(crate) struct Lexicon {
    pub(super) rules: Vec<RowRule>,
    pub(super) http: HttpWords,
    /// Phrases by the word, or stem, that ends them.
    endings: Vec<Vec<Phrase>>,
    slots: Box<[Slot]>,
    /// Prefixes by their first letter, `a` to `z`.
    prefixes: [Vec<Prefix>; 26],
    prefix_filter: PrefixFilter,
}

#[derive(Debug, Clone)]
struct Slot {
    key: (u64, u64),
    /// The entry in lower case; empty in a free slot.
    text: Box<str>,
    meaning: Meaning,
}

#[derive(Debug)]
pub(super) struct Prefix {
    pub(super) text: &'static [u8],
    pub(super) stem: WordId,
    pub(super) row: RuleIndex,
}

/// At least four times the number of entries, which keeps probe sequences short.
const SLOTS: usize = 2048;

impl Lexicon {
    pub(super) fn endings(&self, word: WordId) -> &[Phrase] {
        &self.endings[usize::from(word)]
    }

    /// The role of the word in the rules, ignoring case; `None` for most words.
    #[inline]
    pub(super) fn meaning(&self, word: &[u8]) -> Option<Meaning> {
        if self.prefix_filter.may_begin(word) { self.look_up(word) } else { None }
    }

    fn look_up(&self, word: &[u8]) -> Option<Meaning> {
        let token = Token::new(word);
        self.exact(&token).or_else(|| Some(self.inexact(&token)).filter(|meaning| *meaning != Meaning::NONE))
    }

    fn exact(&self, token: &Token<'_>) -> Option<Meaning> {
        let mut at = token.hash();
        loop {
            let slot = &self.slots[at % SLOTS];
            if slot.text.is_empty() {
                return None;
            }
            if token.is(slot.key, &slot.text) {
                return Some(slot.meaning);
            }
            at += 1;
        }
    }

    /// The meaning of a token that is not an entry: by its prefix, or by its base form without the suffix.
    fn inexact(&self, token: &Token<'_>) -> Meaning {
        let mut meaning = Meaning::NONE;
        let prefixes = letter(token.text.first()).map_or(&[][..], |first| &self.prefixes[first]);
        for prefix in prefixes {
            if token.begins_with(prefix.text) {
                meaning.row = self.better(meaning.row, prefix.row);
                meaning.stem = meaning.stem.max(prefix.stem);
            }
        }
        if let Some(base) = token.stripped().and_then(|base| self.exact(&base)) {
            meaning.row = self.better(meaning.row, base.row);
            meaning.joined = base.joined;
        }
        meaning
    }

    /// The rule with the higher precedence.
    fn better(&self, one: RuleIndex, other: RuleIndex) -> RuleIndex {
        better(&self.rules, one, other)
    }

    /// A lexicon without entries.
    pub(super) fn empty(rules: Vec<RowRule>, http: HttpWords, endings: Vec<Vec<Phrase>>) -> Self {
        Self {
            rules,
            http,
            endings,
            slots: vec![Slot { key: (0, 0), text: "".into(), meaning: Meaning::NONE }; SLOTS].into(),
            prefixes: Default::default(),
            prefix_filter: PrefixFilter::NONE,
        }
    }

    pub(super) fn add_prefix(&mut self, prefix: Prefix) {
        self.prefix_filter.add(prefix.text);
        if let Some(first) = letter(prefix.text.first()) {
            self.prefixes[first].push(prefix);
        }
    }

    /// Adds an entry, merging its meaning by prefix and by base form into it.
    pub(super) fn insert(&mut self, text: &str, mut meaning: Meaning) {
        // A short entry with a suffix has different first letters: `ssl`, `ssle…`.
        for ending in ["", "error", "exception"] {
            self.prefix_filter.add(format!("{text}{ending}").as_bytes());
        }
        let token = Token::new(text.as_bytes());
        let inexact = self.inexact(&token);
        meaning.row = self.better(meaning.row, inexact.row);
        meaning.joined = self.better(meaning.joined, inexact.joined);
        meaning.stem = inexact.stem;
        let mut at = token.hash();
        while !self.slots[at % SLOTS].text.is_empty() {
            at += 1;
        }
        self.slots[at % SLOTS] = Slot { key: token.key, text: text.into(), meaning };
    }
}

pub(super) fn better(rules: &[RowRule], one: RuleIndex, other: RuleIndex) -> RuleIndex {
    match (rules.get(usize::from(one)), rules.get(usize::from(other))) {
        (Some(first), Some(second)) if second.order() < first.order() => other,
        (None, _) => other,
        _ => one,
    }
}

fn letter(byte: Option<&u8>) -> Option<usize> {
    byte.filter(|byte| byte.is_ascii_alphabetic()).map(|byte| usize::from((byte | 0x20) - b'a'))
}
