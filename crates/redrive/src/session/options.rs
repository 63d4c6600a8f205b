//! Which server, and how it is asked.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use redrive_client::{Client, ClientBuilder, Span};

use crate::complaint::Complaint;
use crate::console::Format;
use crate::exit::Exit;

/// No key and no certificate is larger.
const FILE_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct ServerOptions {
    /// The server that is asked.
    #[arg(long, global = true, env = "REDRIVE_SERVER", value_name = "URL", default_value = "http://127.0.0.1:2319")]
    server: String,
    /// A file with the API key; else it is taken from REDRIVE_API_KEY. It is no argument: others can read those.
    #[arg(long, global = true, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// A certificate in PEM that is trusted besides those of this machine.
    #[arg(long, global = true, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// How long an answer may take, beyond the time that a lease waits.
    #[arg(long, global = true, value_name = "TIME", default_value_t = ClientBuilder::DEADLINE)]
    timeout: Span,
    /// For whom the output is.
    #[arg(long, global = true, value_enum, default_value_t)]
    pub(crate) output: Format,
}

impl ServerOptions {
    pub(super) fn client(&self) -> Result<Client> {
        let mut builder = Client::builder(&self.server).deadline(self.timeout);
        if let Some(key) = self.key()? {
            builder = builder.key(key);
        }
        if let Some(file) = &self.ca_file {
            let pem = read(file)?;
            builder = builder.trust_pem(pem.as_bytes()).with_context(|| format!("in {}", file.display()))?;
        }
        // What is wrong is in the arguments: there is no connection yet.
        builder.build().map_err(|error| Complaint::usage(error.to_string()).into())
    }

    fn key(&self) -> Result<Option<String>> {
        if let Some(file) = &self.key_file {
            return Ok(Some(read(file)?.trim().to_owned()));
        }
        Ok(std::env::var("REDRIVE_API_KEY").ok().filter(|key| !key.is_empty()))
    }
}

fn read(file: &Path) -> Result<String> {
    let shown = file.display();
    let size = std::fs::metadata(file).with_context(|| format!("cannot read {shown}"))?.len();
    if size > FILE_BYTES_MAX {
        return Err(Complaint::new(Exit::Error, format!("{shown} is larger than {FILE_BYTES_MAX} bytes")).into());
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))
}
