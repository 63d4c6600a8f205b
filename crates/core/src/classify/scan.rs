//! One pass over one text: tokens in, the best rule out. Allocates nothing.

use super::http_text;
use super::lexicon::{Form, Lexicon, Meaning, NO_RULE, NO_WORD, RuleIndex, WordId, Words};
use super::trim::{next_url, without_advice};
use super::typed;
use crate::Category;

/// What is read of one text. The cause stands at the beginning; what follows is a trace or a payload.
pub(super) const TEXT_BYTES_MAX: usize = 8 * 1024;

/// Whose text it is: rules that match a type's name or an error code come before those of the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Name,
    Message,
}

/// The best that the texts of a failure have said so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Best<'f> {
    pub(super) said: Said,
    rank: u8,
    pub(super) link: usize,
    pub(super) text: &'f str,
    /// Some text speaks of a rate limit.
    pub(super) limits_rate: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Said {
    Nothing,
    Status(u16),
    Row { rule: RuleIndex, place: Place },
}

/// The order of decisions: a status, final phrases, then the phrases and words of names, then those of
/// messages. Each form has at most eight groups.
const RANK_STATUS: u8 = 0;
const RANK_FINAL: u8 = 1;
const RANK_NAME: u8 = 2;
const RANK_MESSAGE: u8 = 18;
const GROUPS: u8 = 8;

impl<'f> Best<'f> {
    pub(super) const NOTHING: Self = Self { said: Said::Nothing, rank: u8::MAX, link: 0, text: "", limits_rate: false };

    pub(super) fn category(&self, lexicon: &Lexicon) -> Category {
        match self.said {
            Said::Nothing => Category::Permanent,
            Said::Status(403) if self.limits_rate => Category::Transient,
            Said::Status(status) => typed::http(status).unwrap_or(Category::Permanent),
            Said::Row { rule, .. } => lexicon.rules[usize::from(rule)].category,
        }
    }

    /// Of two of the same rank the first stays: the outermost link, the earliest in the text.
    fn offer(&mut self, said: Said, rank: u8, link: usize, text: &'f str) {
        if rank < self.rank {
            (self.said, self.rank, self.link, self.text) = (said, rank, link, text);
        }
    }
}

/// Reads one text of one link and keeps in `best` what decides.
pub(super) fn scan<'f>(lexicon: &Lexicon, text: &'f str, place: Place, link: usize, best: &mut Best<'f>) {
    let text = &text[..text.floor_char_boundary(TEXT_BYTES_MAX)];
    // A name has no room for advice.
    let text = if place == Place::Message { without_advice(text) } else { text };
    Scanner {
        lexicon,
        text,
        place,
        link,
        best,
        recent: Words::default(),
        starts: [0; Words::LEN],
        read: 0,
        held: None,
    }
    .run();
}

#[derive(Debug, Clone, Copy)]
struct Read {
    meaning: Meaning,
    start: usize,
    end: usize,
}

struct Scanner<'a, 'f> {
    lexicon: &'a Lexicon,
    text: &'f str,
    place: Place,
    link: usize,
    best: &'a mut Best<'f>,
    /// The words before the current one.
    recent: Words,
    /// Where the last tokens began; the one before the current stands at `read - 1`, modulo the length.
    starts: [usize; Words::LEN],
    read: usize,
    /// A token that may be the first of a setting: whether it counts, the next one decides.
    held: Option<Read>,
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
                            Some(meaning) => self.token(Read { meaning, start: at, end: at + len }),
                            None => self.unknown(at),
                        }
                        at += len;
                    }
                },
            }
        }
        self.release();
    }

    /// How many bytes from here on belong to this class.
    fn run_of(&self, class: Class, at: usize) -> usize {
        let rest = &self.text.as_bytes()[at..];
        rest.iter().position(|byte| CLASSES[usize::from(*byte)] != class).unwrap_or(rest.len())
    }

    /// The length of the word that begins here: `SSLError` is `SSL`, then `Error`. Zero for a character
    /// that is no letter.
    fn word_len(&self, start: usize) -> usize {
        let capitals = self.run_of(Class::Upper, start);
        let small = self.small_len(start + capitals);
        let is_followed_by_a_word =
            capitals > 1 && self.text.as_bytes().get(start + capitals).is_some_and(u8::is_ascii_lowercase);
        if is_followed_by_a_word { capitals - 1 } else { capitals + small }
    }

    /// The length of a run of small letters and of letters beyond ASCII, whose case is nobody's concern.
    fn small_len(&self, start: usize) -> usize {
        let mut at = start + self.run_of(Class::Lower, start);
        while let Some(letter) = wide_char(self.text, at).filter(|c| c.is_alphanumeric()) {
            at += letter.len_utf8();
            at += self.run_of(Class::Lower, at);
        }
        at - start
    }

    /// A token that no rule knows keeps others apart.
    fn unknown(&mut self, start: usize) {
        self.release();
        self.remember(NO_WORD, start);
    }

    /// What was held back was no setting: it counts.
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
            self.best.offer(Said::Status(status), RANK_STATUS, self.link, text);
        }
        let word = match text.as_bytes() {
            [digit] => version_digit(*digit),
            _ => NO_WORD,
        };
        self.remember(word, start);
    }

    /// Whether the last tokens were `HTTP`, `HTTP/1.1`, `HTTP/2`, `status`, `status code` or `statuscode`.
    fn is_announced(&self) -> bool {
        let http = self.lexicon.http;
        let [last, second, third] = [0, 1, 2].map(|places| self.recent.back(places));
        last == http.http
            || last == http.status
            || last == http.status_code
            || (last == http.code && second == http.status)
            || (is_version(last) && (second == http.http || (is_version(second) && third == http.http)))
    }

    fn token(&mut self, read: Read) {
        if let Some(held) = self.held.take() {
            let is_setting = read.meaning.ends_setting & (1 << (held.meaning.setting - 1)) != 0;
            if is_setting && is_within_a_name(&self.text.as_bytes()[held.end..read.start]) {
                return;
            }
            self.emit(held);
        }
        if read.meaning.is_setting {
            return;
        }
        if read.meaning.setting == 0 {
            self.emit(read);
        } else {
            self.held = Some(read);
        }
    }

    fn emit(&mut self, read: Read) {
        let Read { meaning, start, end } = read;
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
                    back => self.starts[self.read.wrapping_sub(back) % Words::LEN],
                };
                self.matched(phrase.rule, start, end);
            }
        }
    }

    fn matched(&mut self, rule: RuleIndex, start: usize, end: usize) {
        let row = &self.lexicon.rules[usize::from(rule)];
        self.best.limits_rate |= row.limits_rate;
        let base = match self.place {
            Place::Name => RANK_NAME,
            Place::Message => RANK_MESSAGE,
        };
        let rank = match row.form {
            Form::Final => RANK_FINAL,
            Form::Phrase => base + row.group,
            Form::Word => base + GROUPS + row.group,
        };
        self.best.offer(Said::Row { rule, place: self.place }, rank, self.link, &self.text[start..end]);
    }

    fn remember(&mut self, word: WordId, start: usize) {
        self.recent = self.recent.followed_by(word);
        self.starts[self.read % Words::LEN] = start;
        self.read += 1;
    }
}

/// Whether what stands between two words leaves them one name: `connection string`, `connection_string`,
/// `connectionString`. In `lost connection (id 77)` they are two.
fn is_within_a_name(gap: &[u8]) -> bool {
    matches!(gap, b"_" | b"-" | b".") || gap.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// The digits of `HTTP/1.1`, as words that no phrase has.
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

/// The character here, if it is beyond ASCII.
fn wide_char(text: &str, at: usize) -> Option<char> {
    if text.as_bytes().get(at)?.is_ascii() {
        return None;
    }
    text.get(at..).and_then(|rest| rest.chars().next())
}
