//! `--group`: the live or finished letters with one fingerprint.

use anyhow::Result;
use redrive_client::proto::redrive::v1::LettersGroupsRequest;

use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::session::Session;

const DIGITS: usize = 32;
const DIGITS_MIN: usize = 4;

/// A fingerprint or its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GroupName(String);

pub(super) fn parse_group(text: &str) -> Result<GroupName, &'static str> {
    let is_valid = (DIGITS_MIN..=DIGITS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let allowed = "expected a fingerprint or its beginning, as letters groups prints it: 4 to 32 hexadecimal digits";
    is_valid.then(|| GroupName(text.to_ascii_lowercase())).ok_or(allowed)
}

impl GroupName {
    /// The whole fingerprint. A beginning is looked up among the groups of the queue.
    pub(super) async fn fingerprint(&self, queue: &str, session: &Session) -> Result<String> {
        let Self(text) = self;
        if text.len() == DIGITS {
            return Ok(text.clone());
        }
        let (queue_name, after) = (queue.to_owned(), before(text));
        let request = LettersGroupsRequest { queue_name, after, limit: 2, ..LettersGroupsRequest::default() };
        let found = session.call(session.client.letter_groups(&request)).await?.groups;
        let mut found = found.into_iter().map(|group| group.fingerprint).filter(|found| found.starts_with(text));
        match (found.next(), found.next()) {
            (Some(only), None) => Ok(only),
            (Some(first), Some(second)) => {
                let message = format!("several groups of '{queue}' begin with '{text}': {first}, {second}");
                Err(CliError::usage(message).remedy("give more digits of the fingerprint").into())
            }
            (None, _) => {
                let message = format!("no group of '{queue}' begins with '{text}'");
                let remedy = format!(
                    "list the groups with: redrive letters groups {queue}; a group without live letters needs its \
                     whole fingerprint"
                );
                Err(CliError::new(Exit::NotFound, message).remedy(remedy).into())
            }
        }
    }
}

/// The greatest fingerprint before all that begin with these digits; empty if there is none.
pub(super) fn before(digits: &str) -> String {
    let first = u128::from_str_radix(&format!("{digits:0<DIGITS$}"), 16).unwrap_or_default();
    first.checked_sub(1).map(|last| format!("{last:032x}")).unwrap_or_default()
}

/// The option of commands that select letters by a filter.
#[derive(Debug, clap::Args)]
pub(super) struct GroupOption {
    /// Only letters of this group: a fingerprint or its beginning, as letters groups prints it.
    #[arg(long, value_name = "FINGERPRINT", value_parser = parse_group)]
    pub(super) group: Option<GroupName>,
}

impl GroupOption {
    /// A filter that also requires the group.
    pub(super) async fn narrow(&self, filter: &str, queue: &str, session: &Session) -> Result<String> {
        let Some(group) = &self.group else { return Ok(filter.to_owned()) };
        let fingerprint = group.fingerprint(queue, session).await?;
        Ok(and(filter, &filter_of(&fingerprint)))
    }
}

/// A filter that also requires a condition.
pub(super) fn and(filter: &str, condition: &str) -> String {
    if filter.trim().is_empty() { condition.to_owned() } else { format!("({filter}) && {condition}") }
}

/// The filter for the letters of a group.
pub(super) fn filter_of(fingerprint: &str) -> String {
    format!("fingerprint == '{fingerprint}'")
}

#[cfg(test)]
mod tests {
    use super::{before, parse_group};

    #[test]
    fn a_beginning_is_found_after_the_fingerprint_before_it() {
        assert_eq!(before("0000"), "");
        assert_eq!(before("0001"), format!("0000{}", "f".repeat(28)));
        assert_eq!(before("a0"), format!("9f{}", "f".repeat(30)));
    }

    #[test]
    fn a_group_has_four_to_thirty_two_digits() {
        for text in ["489d", "489D256CF7C4A1E5F262F84F7E4F6FAA"] {
            assert!(parse_group(text).is_ok(), "{text}");
        }
        for text in ["", "489", "489g", "489d256cf7c4a1e5f262f84f7e4f6faa0"] {
            assert!(parse_group(text).is_err(), "{text}");
        }
    }
}
