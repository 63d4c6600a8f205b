//! What every command that asks a server has at hand.

use std::io::{BufWriter, Stdout, Write, stdout};

use anyhow::Result;
use redrive_client::proto::querator::{QueueInfo, QueuesInfoRequest};
use redrive_client::{Client, ClientError};

use super::explain::explain;
use super::{Interrupt, ServerOptions};
use crate::complaint::Complaint;
use crate::console::{Format, ask, can_ask, say};
use crate::exit::Exit;

#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(crate) format: Format,
    pub(crate) interrupt: Interrupt,
}

impl Session {
    /// Runs a command that asks a server.
    pub(crate) fn run<F>(options: &ServerOptions, command: impl FnOnce(Self) -> F) -> Result<()>
    where
        F: Future<Output = Result<()>>,
    {
        // A thread of its own for signals: the command may stand still at a terminal or a pipe.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let outcome = runtime.block_on(async {
            let client = options.client()?;
            command(Self { client, format: options.output, interrupt: Interrupt::listen()? }).await
        });
        // A thread that still reads stdin would hold the process.
        runtime.shutdown_background();
        outcome
    }

    /// The same session, whose calls say why they are made.
    pub(crate) fn because(self, reason: &str) -> Result<Self> {
        // What is wrong is in the arguments.
        let client = self.client.because(reason).map_err(|error| Complaint::usage(error.to_string()))?;
        Ok(Self { client, ..self })
    }

    /// A call that may be left while its answer is awaited.
    pub(crate) async fn ask<T>(&self, call: impl Future<Output = Result<T, ClientError>>) -> Result<T> {
        match self.interrupt.or(call).await {
            Some(answer) => self.told(answer).await,
            None => Err(Interrupt::complaint("interrupted before the answer came").into()),
        }
    }

    /// A call of many: its answer is awaited, so that it is known how far the work came.
    pub(crate) async fn finish<T>(&self, call: impl Future<Output = Result<T, ClientError>>) -> Result<T> {
        let answer = call.await;
        self.told(answer).await
    }

    async fn told<T>(&self, answer: Result<T, ClientError>) -> Result<T> {
        match answer {
            Ok(answer) => Ok(answer),
            Err(error) => Err(explain(&self.client, &error).await.into()),
        }
    }

    /// Goes on if the user says so. Where nobody can be asked, `--yes` has to be on the command line.
    pub(crate) async fn confirm(&self, act: String, is_said: bool) -> Result<()> {
        if is_said {
            return Ok(());
        }
        if !can_ask() {
            let complaint = Complaint::usage(format!("this would {act}, and there is nobody to ask"));
            return Err(complaint.advise("say that it is wanted with --yes").into());
        }
        // On a thread of its own, so that Ctrl-C is an answer, too.
        let Some(answer) = self.interrupt.or(tokio::task::spawn_blocking(move || ask(&act))).await else {
            return Err(Interrupt::complaint("nothing was done").into());
        };
        if answer?? { Ok(()) } else { Err(Complaint::new(Exit::Error, "nothing was done").into()) }
    }

    pub(crate) async fn queue_info(&self, queue: &str) -> Result<QueueInfo> {
        self.ask(self.client.queue_info(&QueuesInfoRequest { queue_name: queue.to_owned() })).await
    }

    /// What was done: told to people, and data for programs.
    pub(crate) fn report(&self, told: &str, data: &serde_json::Value) -> Result<()> {
        match self.format {
            Format::Table => say(told),
            Format::Json => writeln!(stdout(), "{data}")?,
        }
        Ok(())
    }

    /// Stdout, for data.
    pub(crate) fn out(&self) -> BufWriter<Stdout> {
        BufWriter::new(stdout())
    }
}
