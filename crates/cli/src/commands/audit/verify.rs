//! `redrive audit verify`.
//!
//! The records are verified here and not by the server: it only sends them as they are stored.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use redrive_client::proto::redrive::v1::AuditListRequest;
use redrive_server::{AuditBreak, AuditRecord, AuditVerifier, VerifiedChain};
use serde_json::json;

use super::audit_pages::AuditPages;
use crate::cli_error::CliError;
use crate::console::{Align, Format, Rows, counted, say};
use crate::exit::Exit;
use crate::session::{ServerOptions, Session};
use crate::values::file_to_read;

/// Maximum number of broken records that are reported.
const BROKEN_MAX: usize = 20;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive audit verify
  redrive audit verify --file audit.jsonl")]
pub(crate) struct Arguments {
    /// Verify this file of `redrive audit export` instead of the log of a server.
    #[arg(long, value_name = "FILE", value_parser = file_to_read())]
    file: Option<PathBuf>,
    /// Require a record with this SHA-256, from an earlier verification or the log of the server. It detects that the end
    /// of a chain was removed. The option may be repeated.
    #[arg(long, value_name = "SHA256", value_parser = parse_hash)]
    head: Vec<String>,
}

fn parse_hash(text: &str) -> Result<String, &'static str> {
    let is_hash = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash { Ok(text.to_ascii_lowercase()) } else { Err("expected a SHA-256: 64 hexadecimal digits") }
}

pub(super) fn run(arguments: &Arguments, server: &ServerOptions) -> Result<()> {
    let Some(file) = &arguments.file else {
        return Session::run(server, async |session| {
            let mut verification = Verification::new(arguments);
            verification.read_server(&session).await?;
            verification.report(session.format, "compare it with a copy of the log")
        });
    };
    let mut verification = Verification::new(arguments);
    verification.read_file(file)?;
    verification.report(server.format(), "an export with filters cannot be verified: export the log without filters")
}

struct Verification {
    verifier: AuditVerifier,
    records: u64,
    broken: Vec<AuditBreak>,
    /// The hashes that no record had so far.
    missing: BTreeSet<String>,
}

impl Verification {
    fn new(arguments: &Arguments) -> Self {
        let missing = arguments.head.iter().cloned().collect();
        Self { verifier: AuditVerifier::default(), records: 0, broken: Vec::new(), missing }
    }

    async fn read_server(&mut self, session: &Session) -> Result<()> {
        let request = AuditListRequest { oldest_first: true, stored: true, ..AuditListRequest::default() };
        let mut pages = AuditPages::new(session, request, usize::MAX);
        while let Some(page) = pages.next().await? {
            for record in page {
                let added = self.verifier.add(&record.id, &record.stored);
                self.note(added);
            }
        }
        Ok(())
    }

    fn read_file(&mut self, path: &Path) -> Result<()> {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
        for (index, line) in BufReader::new(file).split(b'\n').enumerate() {
            let line = line.with_context(|| format!("cannot read {shown}"))?;
            let added = self.verifier.add_copy(&format!("in line {}", index + 1), &line);
            self.note(added);
        }
        Ok(())
    }

    fn note(&mut self, added: Result<AuditRecord, AuditBreak>) {
        self.records += 1;
        match added {
            Ok(record) => {
                if let Some(head) = self.verifier.head(&record.incarnation) {
                    self.missing.remove(head);
                }
            }
            Err(broken) => self.broken.push(broken),
        }
    }

    /// Prints the chains, and fails if a record is broken or a hash is missing.
    fn report(&self, format: Format, remedy: &str) -> Result<()> {
        self.print(format)?;
        for AuditBreak { id, why } in self.broken.iter().take(BROKEN_MAX) {
            say(format_args!("record {id} is not what was written: {why}"));
        }
        if let more @ 1.. = self.broken.len().saturating_sub(BROKEN_MAX) {
            say(format_args!("and {more} more"));
        }
        if let Some(first) = self.broken.first() {
            let message = format!("the audit log breaks at record {}: {}", first.id, first.why);
            return Err(CliError::new(Exit::Error, message).remedy(remedy).into());
        }
        if let Some(missing) = self.missing.first() {
            let message = format!("no audit record has the SHA-256 {missing}: it was removed or changed");
            return Err(CliError::new(Exit::Error, message).remedy("compare it with a copy of the log").into());
        }
        let chains = self.verifier.chains().count() as u64;
        say(format_args!("verified {} in {}", counted(self.records, "audit record"), counted(chains, "chain")));
        Ok(())
    }

    fn print(&self, format: Format) -> Result<()> {
        match format {
            Format::Table => {
                let mut rows = Rows::new(stdout(), HEADER);
                self.verifier.chains().try_for_each(|chain| rows.push(row(chain)))?;
                rows.finish()
            }
            Format::Json => {
                let chain = |chain: &VerifiedChain| {
                    let VerifiedChain { incarnation, first, last, head } = chain;
                    json!({ "incarnation": incarnation, "first": first, "last": last, "head": head })
                };
                let broken = |broken: &AuditBreak| json!({ "id": broken.id, "why": broken.why });
                let object = json!({
                    "records": self.records,
                    "chains": self.verifier.chains().map(chain).collect::<Vec<_>>(),
                    "broken": self.broken.iter().map(broken).collect::<Vec<_>>(),
                    "missing": self.missing,
                });
                Ok(writeln!(stdout(), "{object}")?)
            }
        }
    }
}

const HEADER: &[(&str, Align)] =
    &[("CHAIN", Align::Text), ("FIRST", Align::Number), ("LAST", Align::Number), ("HEAD", Align::Text)];

fn row(chain: &VerifiedChain) -> Vec<String> {
    vec![chain.incarnation.clone(), chain.first.to_string(), chain.last.to_string(), chain.head.clone()]
}
