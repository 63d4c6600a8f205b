//! Acts on a group for which the server has no plan: it changes the letters one by one.

use anyhow::Result;
use redrive_client::ClientError;
use redrive_client::proto::redrive::v1::{Letter, LettersListRequest};
use redrive_core::Status;
use serde_json::{Value, json};

use super::group::{GroupName, filter_of};
use super::letter_pages::LetterPages;
use crate::cli_error::CliError;
use crate::console::{Format, Progress, letters, say};
use crate::exit::Exit;
use crate::session::{Interrupt, Session};

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
    /// Makes the call for each letter, page by page. A letter that fails is named and does not stop the others, unless the
    /// error concerns all of them; Ctrl-C stops between two calls.
    pub(super) async fn each(
        &self,
        session: &Session,
        call: impl AsyncFn(&Letter) -> Result<(), ClientError>,
    ) -> Result<()> {
        if !self.is_dry_run {
            session.require_reason(format!("a command that would {} a group needs a reason", self.verb))?;
        }
        let filter = filter_of(&self.group.fingerprint(self.queue, session).await?);
        let planned = self.count(&filter, session).await?;
        let description = format!("{} of '{}' to {}", letters(planned), self.queue, self.verb);
        if self.is_dry_run {
            let data = json!({ "queue_name": self.queue, "planned": planned });
            return session.report(&format!("{description}; nothing was changed"), &data);
        }
        say(description);
        let question = format!("{} {} of '{}'", self.verb, letters(planned), self.queue);
        if planned > 0 && !session.is_confirmed(question, self.is_confirmed).await? {
            return Ok(());
        }
        let mut outcome = WalkOutcome { planned, ..WalkOutcome::default() };
        if let Err(error) = self.carry_out(&filter, &mut outcome, session, call).await {
            say(format_args!("{} {} before the error", self.participle, letters(outcome.done)));
            return Err(error);
        }
        self.report(&outcome, session)
    }

    /// Makes the calls until all letters are done, or until an interrupt.
    async fn carry_out(
        &self,
        filter: &str,
        outcome: &mut WalkOutcome,
        session: &Session,
        call: impl AsyncFn(&Letter) -> Result<(), ClientError>,
    ) -> Result<()> {
        let progress = Progress::new("letters", Some(outcome.planned));
        let mut pages = self.pages(filter, session);
        // No more than was confirmed: letters of the group may have been captured meanwhile, and they come last.
        while !outcome.is_complete() && !session.interrupt.is_raised() {
            let page = match pages.next().await {
                Ok(Some(page)) => page,
                Ok(None) => return Ok(()),
                Err(_) if session.interrupt.is_raised() => return Ok(()),
                Err(error) => return Err(error),
            };
            for letter in &page {
                if outcome.is_complete() || session.interrupt.is_raised() {
                    return Ok(());
                }
                let mut concerns_all = false;
                let called = session.call_to_end(async {
                    let answer = call(letter).await;
                    concerns_all = answer.as_ref().is_err_and(|error| !is_about_one(error));
                    answer
                });
                match called.await {
                    Ok(()) => outcome.done += 1,
                    Err(error) if concerns_all => return Err(error),
                    Err(error) => {
                        if session.format == Format::Table {
                            progress.say(format_args!("{}: failed: {error}", letter.id));
                        }
                        outcome.failures.push((letter.id.clone(), error.to_string()));
                    }
                }
                progress.add(1);
            }
        }
        Ok(())
    }

    fn report(&self, outcome: &WalkOutcome, session: &Session) -> Result<()> {
        let WalkOutcome { planned, done, failures } = outcome;
        let (queue, failed, is_interrupted) = (self.queue, failures.len(), session.interrupt.is_raised());
        // Letters that were removed since they were counted do not remain.
        let remaining = if is_interrupted { planned.saturating_sub(outcome.tried()) } else { 0 };
        let named: Vec<Value> = failures.iter().map(|(id, error)| json!({ "id": id, "error": error })).collect();
        let data = json!({ "queue_name": queue, "planned": planned, self.participle: done, "failed": failed,
            "remaining": remaining, "failures": named });
        session.report(&format!("{} {} of '{queue}', failed {failed}", self.participle, letters(*done)), &data)?;
        if remaining > 0 {
            return Err(Interrupt::error(format!("interrupted; {} are unchanged", letters(remaining))).into());
        }
        if failed > 0 {
            return Err(CliError::new(Exit::Error, format!("{failed} of {planned} letters failed")).into());
        }
        Ok(())
    }

    /// The number of letters: counted by the server, or else page by page.
    async fn count(&self, filter: &str, session: &Session) -> Result<u64> {
        let mut pages = self.pages(filter, session);
        let mut count = 0;
        while let Some(page) = pages.next().await? {
            if let Some(total) = pages.total {
                return Ok(total);
            }
            count += page.len() as u64;
        }
        Ok(count)
    }

    /// The letters in the order of their capture. A page is read after the act on the one before, which does not change this
    /// order.
    fn pages<'s>(&self, filter: &str, session: &'s Session) -> LetterPages<'s> {
        let request = LettersListRequest {
            queue_name: self.queue.to_owned(),
            statuses: self.statuses.iter().map(ToString::to_string).collect(),
            filter: filter.to_owned(),
            ..LettersListRequest::default()
        };
        LetterPages::new(session, request, usize::MAX)
    }
}

/// What was done so far.
#[derive(Debug, Default)]
struct WalkOutcome {
    planned: u64,
    done: u64,
    /// Ids, each with the error.
    failures: Vec<(String, String)>,
}

impl WalkOutcome {
    const fn tried(&self) -> u64 {
        self.done + self.failures.len() as u64
    }

    const fn is_complete(&self) -> bool {
        self.tried() >= self.planned
    }
}

/// Whether an error is about one letter, so that others can still be changed: it was removed, has changed, or is not in a
/// state for the act.
const fn is_about_one(error: &ClientError) -> bool {
    matches!(
        error,
        ClientError::Rejected(_)
            | ClientError::BadRequest { .. }
            | ClientError::NotFound { .. }
            | ClientError::Conflict { .. }
    )
}
