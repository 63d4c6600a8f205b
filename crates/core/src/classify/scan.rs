//! Finds the best rule for a text in one pass over its tokens, without allocating.

use super::http_text;
use super::lexicon::{Form, Lexicon, Meaning, NO_RULE, NO_WORD, RecentWords, RuleIndex, WordId};
use super::trim::{next_url, without_advice};
use super::typed;
use crate::Category;

/// Maximum length of a text that is scanned. The cause is at the beginning; a trace or a payload may follow.
pub(super) const TEXT_BYTES_MAX: usize = 8 * 1024;

/// The origin of a text. Matches in a type name or an error code take precedence over matches in the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextSource {
    Name,
    Message,
}

/// The best match in the texts of a failure so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct BestMatch<'f> {
    pub(super) found: Match,
    rank: u8,
    pub(super) link: usize,
    pub(super) text: &'f str,
    /// Whether any text names a rate limit.
    pub(super) limits_rate: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Match {
    Nothing,
    Status(u16),
    Row { rule: RuleIndex, source: TextSource },
}

/// Precedence: a status, final phrases, then the phrases and words of names, then those of messages. Each form has at
/// most eight groups.
const RANK_STATUS: u8 = 0;
const RANK_FINAL: u8 = 1;
const RANK_NAME: u8 = 2;
const RANK_MESSAGE: u8 = 18;
const GROUPS: u8 = 8;

impl<'f> BestMatch<'f> {
    pub(super) const NOTHING: Self =
        Self { found: Match::Nothing, rank: u8::MAX, link: 0, text: "", limits_rate: false };

    pub(super) fn category(&self, lexicon: &Lexicon) -> Category {
        match self.found {
            Match::Nothing => Category::Permanent,
            Match::Status(403) if self.limits_rate => Category::Transient,
            Match::Status(status) => typed::http(status).unwrap_or(Category::Permanent),
            Match::Row { rule, .. } => lexicon.rules[usize::from(rule)].category,
        }
    }

    /// Replaces the match by one of higher precedence. On a tie the first match stays: the outermost link, the earliest
    /// position in the text.
    fn offer(&mut self, found: Match, rank: u8, link: usize, text: &'f str) {
        if rank < self.rank {
            (self.found, self.rank, self.link, self.text) = (found, rank, link, text);
        }
    }
}

/// Scans one text of one link and updates `best`.
pub(super) fn scan<'f>(lexicon: &Lexicon, text: &'f str, source: TextSource, link: usize, best: &mut BestMatch<'f>) {
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
    // Names contain no advice.
    let text = if source == TextSource::Message { without_advice(text) } else { text };
    Scanner {
        lexicon,
        text,
        source,
        link,
        best,
        recent: RecentWords::default(),
        starts: [0; RecentWords::LEN],
        token_count: 0,
        held: None,
    }
    .run();
}

#[derive(Debug, Clone, Copy)]
struct LocatedToken {
    meaning: Meaning,
    start: usize,
    end: usize,
}

struct Scanner<'a, 'f> {
    lexicon: &'a Lexicon,
    text: &'f str,
    source: TextSource,
    link: usize,
    best: &'a mut BestMatch<'f>,
    /// The words before the current one.
    recent: RecentWords,
    /// Start offsets of the last tokens, as a ring buffer; the previous token is at `token_count - 1`.
    starts: [usize; RecentWords::LEN],
    token_count: usize,
    /// A token that may be the first word of a setting, held back until the next token is known.
    held: Option<LocatedToken>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Gap,
    Digit,
    Upper,
    Lower,
    Wide,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Gap; 256];
    let mut byte = 0u8;
    loop {
        classes[byte as usize] = match byte {
            b'0'..=b'9' => Class::Digit,
            b'A'..=b'Z' => Class::Upper,
            b'a'..=b'z' => Class::Lower,
            0x80..=0xFF => Class::Wide,
            _ => Class::Gap,
        };
        if byte == u8::MAX {
            break classes;
        }
        byte += 1;
    }
};

impl Scanner<'_, '_> {
    fn run(mut self) {
        let bytes = self.text.as_bytes();
        let mut url = next_url(bytes, 0);
        let mut at = 0;
        while at < bytes.len() {
            if at >= url.start {
                at = url.end;
                url = next_url(bytes, at);
                continue;
            }
            match CLASSES[usize::from(bytes[at])] {
                Class::Gap => at += 1,
                Class::Digit => {
                    let end = at + self.run_of(Class::Digit, at);
                    self.number(at, end);
                    at = end;
                }
                Class::Upper | Class::Lower | Class::Wide => match self.word_len(at) {
                    0 => at += wide_char(self.text, at).map_or(1, char::len_utf8),
                    len => {
                        match self.lexicon.meaning(&bytes[at..at + len]) {
                            Some(meaning) => self.token(LocatedToken { meaning, start: at, end: at + len }),
                            None => self.unknown(at),
                        }
                        at += len;
                    }
                },
            }
        }
        self.release();
    }

    /// The number of bytes of this class starting at `at`.
    fn run_of(&self, class: Class, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        rest.iter().position(|byte| CLASSES[usize::from(*byte)] != class).unwrap_or(rest.len())
    }

    /// The length of the word at `start`: `SSLError` is `SSL`, then `Error`. Zero for a character that is not a letter.
    fn word_len(&self, start: usize) -> usize {
        let capitals = self.run_of(Class::Upper, start);
        let small = self.small_len(start + capitals);
        let is_followed_by_a_word =
            capitals > 1 && self.text.as_bytes().get(start + capitals).is_some_and(u8::is_ascii_lowercase);
        if is_followed_by_a_word { capitals - 1 } else { capitals + small }
    }

    /// The length of a run of lower-case ASCII letters and non-ASCII letters of any case.
    fn small_len(&self, start: usize) -> usize {
        let mut at = start + self.run_of(Class::Lower, start);
        while let Some(letter) = wide_char(self.text, at).filter(|c| c.is_alphanumeric()) {
            at += letter.len_utf8();
            at += self.run_of(Class::Lower, at);
        }
        at - start
    }

    /// Records an unknown token: words before and after it are not adjacent.
    fn unknown(&mut self, start: usize) {
        self.release();
        self.remember(NO_WORD, start);
    }

    /// Emits the held token, which turned out not to begin a setting.
    fn release(&mut self) {
        if let Some(held) = self.held.take() {
            self.emit(held);
        }
    }

    fn number(&mut self, start: usize, end: usize) {
        self.release();
        let text = &self.text[start..end];
        if let ([_, _, _], Ok(status @ 400..=599)) = (text.as_bytes(), text.parse::<u16>())
            && (self.is_announced() || http_text::confirmed_by_what_follows(status, &self.text.as_bytes()[end..]))
        {
            self.best.offer(Match::Status(status), RANK_STATUS, self.link, text);
        }
        let word = match text.as_bytes() {
            [digit] => version_digit(*digit),
            _ => NO_WORD,
        };
        self.remember(word, start);
    }

    /// Whether the last tokens are `HTTP`, `HTTP/1.1`, `HTTP/2`, `status`, `status code` or `statuscode`.
    fn is_announced(&self) -> bool {
        let http = self.lexicon.http;
        let [last, second, third] = [0, 1, 2].map(|places| self.recent.back(places));
        last == http.http
            || last == http.status
            || last == http.status_code
            || (last == http.code && second == http.status)
            || (is_version(last) && (second == http.http || (is_version(second) && third == http.http)))
    }

    fn token(&mut self, token: LocatedToken) {
        if let Some(held) = self.held.take() {
            let is_setting = token.meaning.ends_setting & (1 << (held.meaning.setting - 1)) != 0;
            if is_setting && is_within_a_name(&self.text.as_bytes()[held.end..token.start]) {
                return;
            }
            self.emit(held);
        }
        if token.meaning.is_setting {
            return;
        }
        if token.meaning.setting == 0 {
            self.emit(token);
        } else {
            self.held = Some(token);
        }
    }

    fn emit(&mut self, token: LocatedToken) {
        let LocatedToken { meaning, start, end } = token;
        for ending in [meaning.word, meaning.stem] {
            if ending != NO_WORD {
                self.phrases_ending_in(ending, start, end);
            }
        }
        for rule in [meaning.joined, meaning.row] {
            if rule != NO_RULE {
                self.matched(rule, start, end);
            }
        }
        self.remember(meaning.word, start);
    }

    fn phrases_ending_in(&mut self, ending: WordId, start: usize, end: usize) {
        let lexicon = self.lexicon;
        for phrase in lexicon.endings(ending) {
            if self.recent.end_in(phrase.before, phrase.before_len) {
                let start = match phrase.before_len {
                    0 => start,
                    back => self.starts[self.token_count.wrapping_sub(back) % RecentWords::LEN],
                };
                self.matched(phrase.rule, start, end);
            }
        }
    }

    fn matched(&mut self, rule: RuleIndex, start: usize, end: usize) {
        let row = &self.lexicon.rules[usize::from(rule)];
        self.best.limits_rate |= row.limits_rate;
        let base = match self.source {
            TextSource::Name => RANK_NAME,
            TextSource::Message => RANK_MESSAGE,
        };
        let rank = match row.form {
            Form::Final => RANK_FINAL,
            Form::Phrase => base + row.group,
            Form::Word => base + GROUPS + row.group,
        };
        self.best.offer(Match::Row { rule, source: self.source }, rank, self.link, &self.text[start..end]);
    }

    fn remember(&mut self, word: WordId, start: usize) {
        self.recent = self.recent.followed_by(word);
        self.starts[self.token_count % RecentWords::LEN] = start;
        self.token_count += 1;
    }
}

/// Whether the characters between two words join them to one name: `connection string`, `connection_string`,
/// `connectionString`, but not `lost connection (id 77)`.
fn is_within_a_name(gap: &[u8]) -> bool {
    matches!(gap, b"_" | b"-" | b".") || gap.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Ids for the digits of `HTTP/1.1`, distinct from those of all words in phrases.
const VERSION_DIGITS: WordId = WordId::MAX - 3;

fn version_digit(digit: u8) -> WordId {
    match digit {
        b'0'..=b'3' => VERSION_DIGITS + WordId::from(digit - b'0'),
        _ => NO_WORD,
    }
}

fn is_version(word: WordId) -> bool {
    word >= VERSION_DIGITS
}

/// The character at `at`, if it is not ASCII.
fn wide_char(text: &str, at: usize) -> Option<char> {
    if text.as_bytes().get(at)?.is_ascii() {
        return None;
    }
    text.get(at..).and_then(|rest| rest.chars().next())
}
