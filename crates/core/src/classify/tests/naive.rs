//! A naive implementation of the text rules: tokens in a list, rows tried one by one. The fast scanner is compared with
//! it.

use regex::Regex;

use super::reference::{self, Form, Row, rows, settings};
use crate::Category;

pub(super) struct Naive {
    rows: Vec<Row>,
    settings: Vec<(&'static str, &'static str)>,
    url: Regex,
    advice: Regex,
    opening: Regex,
    identifier: Regex,
}

#[derive(Debug, Clone)]
struct Token {
    text: String,
    start: usize,
    end: usize,
}

/// A match: its precedence (lower wins), category and rule.
type Hit = ((usize, usize, usize), Category, String);

impl Naive {
    pub(super) fn new() -> Self {
        let labels = "action|advice|docs|documentation|fix|help|hint|hints|how to fix|more info|more information|\
            next steps|recovery|recovery steps|recommendation|remedy|resolution|see|see also|solution|suggested fix|\
            suggestion|suggestions|tip|troubleshooting";
        let openings = "check your |consider |did you mean |for more details|for more information|please check |\
            please consult |please ensure |please make sure |please refer |please see |please verify |refer to |\
            see the |to fix this";
        Self {
            rows: rows(),
            settings: settings(),
            url: Regex::new("[A-Za-z0-9+.-]*[A-Za-z0-9]://[^\\s\"'`<>)\\]]*").unwrap(),
            advice: Regex::new(&format!(r"(?i)(\n|[.;!?()\[\]|—]| - )[ \t*#>-]*({labels}) *:")).unwrap(),
            opening: Regex::new(&format!(r"(?i)(\n[ \t\n\x0C\r]*|[.;][ \t\n\x0C\r]+)({openings})")).unwrap(),
            identifier: Regex::new(r"^\s*([A-Za-z0-9_.$]{1,256}):").unwrap(),
        }
    }

    pub(super) fn classify(&self, message: &str) -> (Category, String) {
        let name = self.leading_identifier(message);
        let hits = name.into_iter().flat_map(|name| self.hits(name, true)).chain(self.hits(message, false));
        // `min_by_key` keeps the first of equals.
        hits.min_by_key(|(rank, ..)| *rank)
            .map_or((Category::Permanent, "default".into()), |(_, category, rule)| (category, rule))
    }

    fn leading_identifier<'m>(&self, message: &'m str) -> Option<&'m str> {
        let found = self.identifier.captures(message)?;
        let name = found.get(1)?;
        if message[name.end()..].starts_with("://") {
            return None;
        }
        let last = name.as_str().rsplit('.').next()?;
        let is_name =
            Regex::new(r"[a-z][A-Z]|[A-Z][A-Z][a-z]|^E[A-Z0-9]{3,}$|(?i:(error|exception)$)").unwrap().is_match(last)
                || (last.contains('_') && last == last.to_uppercase());
        is_name.then_some(name.as_str())
    }

    fn hits(&self, text: &str, is_name: bool) -> Vec<Hit> {
        let text = &text[..text.floor_char_boundary(8192)];
        let text = self.without_advice(text);
        let blank = |found: &regex::Captures<'_>| " ".repeat(found[0].len());
        let without_urls = self.url.replace_all(text, blank);
        let tokens = self.without_settings(tokens(&without_urls), text);
        let limits_rate = self.hits_of_rows(&tokens, is_name).iter().any(|(_, _, rule)| {
            let row = rule.split_once(':').map_or("", |(_, row)| row);
            ["rate limit*", "too many requests", "throttl*", "ratelimit*"].contains(&row)
        });
        let mut hits = self.statuses(&tokens, text, limits_rate);
        hits.extend(self.hits_of_rows(&tokens, is_name));
        hits
    }

    /// Cuts at the first label, then at the first sentence of advice before it, unless the result would be empty.
    fn without_advice<'t>(&self, text: &'t str) -> &'t str {
        let cut = |text: &'t str, pattern: &Regex| {
            let ends = pattern.captures_iter(text).filter_map(|found| found.get(2)).map(|advice| advice.start());
            let is_appended = |start: &usize| !text[..*start].trim_matches([' ', '\t', '\n', '\r', '\x0C']).is_empty();
            &text[..ends.into_iter().find(is_appended).unwrap_or(text.len())]
        };
        cut(cut(text, &self.advice), &self.opening)
    }

    fn without_settings(&self, tokens: Vec<Token>, text: &str) -> Vec<Token> {
        let within_a_name = Regex::new(r"^(?-u:[_.-]|[ \t]*)$").unwrap();
        let mut kept = Vec::new();
        let mut rest = tokens.into_iter().peekable();
        while let Some(token) = rest.next() {
            let is_pair = rest.peek().is_some_and(|next| {
                self.settings.iter().any(|(first, second)| token.text == *first && next.text == *second)
                    && within_a_name.is_match(&text[token.end..next.start])
            });
            if is_pair {
                rest.next();
            } else if !self.settings.iter().any(|(first, second)| token.text == format!("{first}{second}")) {
                kept.push(token);
            }
        }
        kept
    }

    fn statuses(&self, tokens: &[Token], text: &str, limits_rate: bool) -> Vec<Hit> {
        let announced = Regex::new(r"(^| )(http( [0-3])?( [0-3])?|status( ?code)?) $").unwrap();
        let mut hits = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let before: String = tokens[..index].iter().map(|token| token.text.clone() + " ").collect();
            let Ok(status @ 400..=599) = token.text.parse::<u16>() else { continue };
            if token.text.len() != 3 {
                continue;
            }
            if announced.is_match(&before) || is_confirmed(status, &text[token.end..]) {
                let category = match status {
                    403 if limits_rate => Category::Transient,
                    _ => reference::http(status),
                };
                hits.push(((0, 0, 0), category, format!("http-text:{status}")));
            }
        }
        hits
    }

    fn hits_of_rows(&self, tokens: &[Token], is_name: bool) -> Vec<Hit> {
        let mut hits = Vec::new();
        for end in 1..=tokens.len() {
            for row in &self.rows {
                if ends_in(&tokens[..end], row) {
                    let place = if is_name { 2 } else { 3 };
                    let (step, form) = match row.form {
                        Form::Final => (1, 0),
                        Form::Phrase => (place, 0),
                        Form::Word => (place, 1),
                    };
                    let prefix = match row.form {
                        Form::Final => "final",
                        _ if is_name => "name",
                        Form::Phrase => "phrase",
                        Form::Word => "word",
                    };
                    hits.push(((step, form, row.group), row.category, format!("{prefix}:{}", row.text)));
                }
            }
        }
        hits
    }
}

fn ends_in(tokens: &[Token], row: &Row) -> bool {
    let Some(last) = tokens.last() else { return false };
    let bases: Vec<&str> = ["", "error", "errors", "exception", "exceptions"]
        .iter()
        .filter_map(|suffix| last.text.strip_suffix(suffix))
        .filter(|base| !base.is_empty())
        .collect();
    row.spellings("*").iter().any(|words| {
        if row.form == Form::Word {
            let word = &words[0];
            return match word.strip_suffix('*') {
                Some(prefix) => last.text.starts_with(prefix),
                None => bases.contains(&word.as_str()),
            };
        }
        let joined = words.concat().replace('*', "");
        let adjacent = tokens.len() >= words.len()
            && tokens[tokens.len() - words.len()..].iter().zip(words).all(|(token, word)| {
                match word.strip_suffix('*') {
                    Some(prefix) => token.text.starts_with(prefix),
                    None => token.text == *word,
                }
            });
        adjacent || bases.contains(&joined.as_str())
    })
}

fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let is_letter = |c: char| c.is_ascii_alphabetic() || (!c.is_ascii() && c.is_alphanumeric());
    let mut tokens: Vec<Token> = Vec::new();
    let mut current = String::new();
    let mut start = 0;
    for (index, (offset, c)) in chars.iter().copied().enumerate() {
        let previous = index.checked_sub(1).map(|before| chars[before].1);
        let next = chars.get(index + 1).map(|(_, c)| *c);
        let breaks = previous.is_some_and(|previous| {
            (previous.is_ascii_digit() != c.is_ascii_digit())
                || (c.is_ascii_uppercase() && is_letter(previous) && !previous.is_ascii_uppercase())
                || (c.is_ascii_uppercase()
                    && previous.is_ascii_uppercase()
                    && next.is_some_and(|n| n.is_ascii_lowercase()))
        });
        let is_part = c.is_ascii_digit() || is_letter(c);
        if (breaks || !is_part) && !current.is_empty() {
            tokens.push(Token { text: std::mem::take(&mut current).to_ascii_lowercase(), start, end: offset });
        }
        if is_part && current.is_empty() {
            start = offset;
        }
        if is_part {
            current.push(c);
        }
    }
    if !current.is_empty() {
        tokens.push(Token { text: current.to_ascii_lowercase(), start, end: text.len() });
    }
    tokens
}

/// Whether the words after a number confirm that it is a status.
fn is_confirmed(status: u16, rest: &str) -> bool {
    let side = if status < 500 { "client error" } else { "server error" };
    let reasons = reference::reasons(status);
    std::iter::once(side).chain(reasons).any(|words| {
        let pattern = words.replace(' ', "[^A-Za-z0-9]*");
        Regex::new(&format!("^[^A-Za-z0-9]*(?i:{pattern})([^A-Za-z0-9]|$)")).unwrap().is_match(rest)
    })
}
