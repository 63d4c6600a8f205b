//! What every command that calls a server has: client, output format, interrupt.

use std::io::{BufWriter, Stdout, stdout};
use std::path::Path;

use anyhow::Result;
use redrive_client::proto::querator::{QueueInfo, QueuesInfoRequest};
use redrive_client::{Client, ClientError};
use serde::Serialize;
use serde_json::json;

use super::explain::explain;
use super::options::{Connection, KeySource};
use super::{ContextName, Interrupt, ServerOptions};
use crate::cli_error::CliError;
use crate::console::{Fields, Format, confirm, is_interactive, print, report, say};

#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) format: Format,
    pub(crate) interrupt: Interrupt,
    /// The context that was selected.
    pub(crate) context: Option<ContextName>,
    /// The namespace of the context.
    pub(crate) namespace: Option<String>,
    pub(crate) key: KeySource,
    /// Whether the server records a reason with each call.
    pub(crate) has_reason: bool,
}

impl Session {
    /// Runs a command that calls a server.
    pub(crate) fn run<F>(options: &ServerOptions, command: impl FnOnce(Self) -> F) -> Result<()>
    where
        F: Future<Output = Result<()>>,
    {
        // A separate thread for signals: the command may be blocked on a terminal or a pipe.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let outcome = runtime.block_on(async {
            let Connection { client, key, context, namespace } = options.connection()?;
            let (format, interrupt) = (options.format(), Interrupt::listen()?);
            command(Self { client, format, interrupt, context, namespace, key, has_reason: false }).await
        });
        // A thread that still reads stdin would keep the process from ending.
        runtime.shutdown_background();
        outcome
    }

    /// The same session with the reason, if one was given: the server records it with each call.
    pub(crate) fn with_reason(self, reason: Option<&str>) -> Result<Self> {
        let Some(reason) = reason else { return Ok(self) };
        // An error here is caused by the arguments.
        let client = self.client.because(reason).map_err(|error| CliError::usage(error.to_string()))?;
        Ok(Self { client, has_reason: true, ..self })
    }

    /// Fails with this message if the command has no reason.
    pub(crate) fn require_reason(&self, message: impl Into<String>) -> Result<(), CliError> {
        if self.has_reason { Ok(()) } else { Err(CliError::usage(message).remedy("give it with --reason TEXT")) }
    }

    /// The namespace of a command: the option, else that of the context, else empty.
    pub(crate) fn namespace_or(&self, given: Option<&str>) -> String {
        given.or(self.namespace.as_deref()).unwrap_or_default().to_owned()
    }

    /// Waits for a call whose answer the command can do without; `None` if the caller may not make it.
    pub(crate) async fn call_if_allowed<T>(
        &self,
        call: impl Future<Output = Result<T, ClientError>>,
    ) -> Result<Option<T>> {
        let answer = async {
            match call.await {
                Err(ClientError::Denied { .. }) => Ok(None),
                answer => answer.map(Some),
            }
        };
        self.call(answer).await
    }

    /// Waits for a call whose answer the command can do without; `None` if the server is older than the call.
    pub(crate) async fn call_if_offered<T>(
        &self,
        call: impl Future<Output = Result<T, ClientError>>,
    ) -> Result<Option<T>> {
        let answer = async {
            match call.await {
                Err(ClientError::NotImplemented { .. }) => Ok(None),
                answer => answer.map(Some),
            }
        };
        self.call(answer).await
    }

    /// Waits for a call that an interrupt may abandon.
    pub(crate) async fn call<T>(&self, call: impl Future<Output = Result<T, ClientError>>) -> Result<T> {
        match self.interrupt.or(call).await {
            Some(answer) => self.checked(answer).await,
            None => Err(Interrupt::error("interrupted while waiting for the response").into()),
        }
    }

    /// Waits for a call, also after an interrupt. For one of a series of calls, so that the command can report its
    /// progress exactly.
    pub(crate) async fn call_to_end<T>(&self, call: impl Future<Output = Result<T, ClientError>>) -> Result<T> {
        let answer = call.await;
        self.checked(answer).await
    }

    async fn checked<T>(&self, answer: Result<T, ClientError>) -> Result<T> {
        match answer {
            Ok(answer) => Ok(answer),
            Err(error) => Err(explain(&self.client, &self.key, &error).await.into()),
        }
    }

    /// Prompts the user to confirm the action, unless `--yes` was given. Without a terminal, `--yes` is required. Returns
    /// `false` if the user declined: nothing is changed then, which is not an error.
    pub(crate) async fn is_confirmed(&self, action: String, is_given: bool) -> Result<bool> {
        if is_given {
            return Ok(true);
        }
        if !is_interactive() {
            let error = CliError::usage(format!("this would {action}, which needs a confirmation"));
            return Err(error.remedy("there is no terminal for a prompt: confirm with --yes").into());
        }
        // On a separate thread, so that Ctrl-C can answer the prompt.
        let Some(answer) = self.interrupt.or(tokio::task::spawn_blocking(move || confirm(&action))).await else {
            return Err(Interrupt::error("interrupted; nothing was changed").into());
        };
        let is_confirmed = answer??;
        if !is_confirmed {
            say("nothing was changed");
        }
        Ok(is_confirmed)
    }

    pub(crate) async fn queue_info(&self, queue: &str) -> Result<QueueInfo> {
        self.call(self.client.queue_info(&QueuesInfoRequest { queue_name: queue.to_owned() })).await
    }

    /// Reports the result: as a message on stderr, or with `--output json` as an object on stdout.
    pub(crate) fn report(&self, message: &str, data: &serde_json::Value) -> Result<()> {
        report(self.format, message, data)
    }

    /// Reports the result of an export. Without a file, stdout has the exported lines, and nothing else is printed there.
    pub(crate) fn report_export(&self, file: Option<&Path>, message: &str, exported: u64) -> Result<()> {
        match file {
            Some(file) => self.report(message, &json!({ "file": file.display().to_string(), "exported": exported })),
            None => {
                say(message);
                Ok(())
            }
        }
    }

    /// Prints one object: its fields, or with `--output json` the object.
    pub(crate) fn show(&self, fields: Fields, object: &impl Serialize) -> Result<()> {
        self.print(object, |out| fields.print(out))
    }

    /// Prints data: with `--output json` as an object, else what `text` writes.
    pub(crate) fn print(
        &self,
        object: &impl Serialize,
        text: impl FnOnce(&mut BufWriter<Stdout>) -> Result<()>,
    ) -> Result<()> {
        print(self.format, object, text)
    }

    /// Stdout, for data.
    pub(crate) fn out(&self) -> BufWriter<Stdout> {
        BufWriter::new(stdout())
    }
}
