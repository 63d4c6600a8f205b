//! Acts on a group for which the server has no plan: it changes the letters one by one.

use anyhow::Result;
use redrive_client::ClientError;
use redrive_client::proto::redrive::v1::{Letter, LettersListRequest};
use redrive_core::Status;
use serde_json::{Value, json};

use super::confirmation::is_confirmed;
use super::group::{GroupName, filter_of};
use crate::cli_error::CliError;
use crate::console::{Format, Progress, letters, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

/// The maximum page size of the server.
const PAGE: i32 = 1_000;

/// The letters of a group, and how the act is confirmed.
#[derive(Debug)]
pub(super) struct GroupWalk<'a> {
    pub(super) queue: &'a str,
    pub(super) group: &'a GroupName,
    /// Only letters with these statuses.
    pub(super) statuses: &'a [Status],
    /// The act on the letters, as in `edit` and `edited`.
    pub(super) verb: &'static str,
    pub(super) participle: &'static str,
    pub(super) is_confirmed: bool,
    pub(super) is_dry_run: bool,
}

impl GroupWalk<'_> {
    /// Makes the call for each letter. A letter that fails is named and does not stop the others; Ctrl-C stops between
    /// two calls.
    pub(super) async fn each(
        &self,
        session: &Session,
        call: impl AsyncFn(&Letter) -> Result<(), ClientError>,
    ) -> Result<()> {
        let found = self.letters(session).await?;
        let planned = found.len() as u64;
        let description = format!("{} of '{}' to {}", letters(planned), self.queue, self.verb);
        if self.is_dry_run {
            let data = json!({ "queue_name": self.queue, "planned": planned });
            return session.report(&format!("{description}; nothing was changed"), &data);
        }
        say(description);
        let question = format!("{} {} of '{}'", self.verb, letters(planned), self.queue);
        if planned > 0 && !is_confirmed(session, question, self.is_confirmed).await? {
            return Ok(());
        }
        let (mut done, mut failures) = (0, Vec::new());
        let progress = Progress::new("letters", Some(planned));
        for letter in &found {
            if session.interrupt.is_raised() {
                break;
            }
            match session.call_to_end(call(letter)).await {
                Ok(()) => done += 1,
                // No other letter can be changed either.
                Err(error) if is_unreachable(&error) => {
                    drop(progress);
                    say(format_args!("{} {} before the error", self.participle, letters(done)));
                    return Err(error);
                }
                Err(error) => {
                    if session.format == Format::Table {
                        progress.say(format_args!("{}: failed: {error}", letter.id));
                    }
                    failures.push((letter.id.clone(), error.to_string()));
                }
            }
            progress.add(1);
        }
        drop(progress);
        self.report(planned, done, &failures, session)
    }

    fn report(&self, planned: u64, done: u64, failures: &[(String, String)], session: &Session) -> Result<()> {
        let (queue, failed) = (self.queue, failures.len() as u64);
        let remaining = planned - done - failed;
        let named: Vec<Value> = failures.iter().map(|(id, error)| json!({ "id": id, "error": error })).collect();
        let data = json!({ "queue_name": queue, "planned": planned, self.participle: done, "failed": failed,
            "remaining": remaining, "failures": named });
        session.report(&format!("{} {} of '{queue}', failed {failed}", self.participle, letters(done)), &data)?;
        if remaining > 0 {
            return Err(Interrupt::error(format!("interrupted; {} are unchanged", letters(remaining))).into());
        }
        if failed > 0 {
            return Err(CliError::new(Exit::Error, format!("{failed} of {planned} letters failed")).into());
        }
        Ok(())
    }

    async fn letters(&self, session: &Session) -> Result<Vec<Letter>> {
        let mut request = LettersListRequest {
            queue_name: self.queue.to_owned(),
            statuses: self.statuses.iter().map(ToString::to_string).collect(),
            filter: filter_of(&self.group.fingerprint(self.queue, session).await?),
            limit: PAGE,
            ..LettersListRequest::default()
        };
        let mut found = Vec::new();
        loop {
            let page = session.call(session.client.list_letters(&request)).await?;
            found.extend(page.letters);
            if page.next.is_empty() {
                return Ok(found);
            }
            request.after = page.next;
        }
    }
}

fn is_unreachable(error: &anyhow::Error) -> bool {
    error.downcast_ref::<CliError>().is_none_or(|error| error.exit() == Exit::Unreachable)
}
