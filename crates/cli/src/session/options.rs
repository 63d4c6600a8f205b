//! The options of every command that calls a server.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use redrive_client::{Client, ClientBuilder, Span};

use crate::cli_error::CliError;
use crate::console::Format;
use crate::exit::Exit;

/// The maximum size of a key or certificate file, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct ServerOptions {
    /// Server URL, http or https.
    #[arg(long, global = true, env = "REDRIVE_SERVER", value_name = "URL", default_value = "http://127.0.0.1:2319")]
    server: String,
    /// Read the API key from this file instead of the variable REDRIVE_API_KEY. The key itself is not an argument: other
    /// users of the machine can read the arguments of a process.
    #[arg(long, global = true, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Trust this PEM certificate in addition to the system's certificates.
    #[arg(long, global = true, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Maximum time for a response, in addition to the --wait time of a lease.
    #[arg(long, global = true, value_name = "TIME", default_value_t = ClientBuilder::DEADLINE)]
    timeout: Span,
    /// Output format.
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
        // An error here is caused by the arguments: there is no connection yet.
        builder.build().map_err(|error| CliError::usage(error.to_string()).into())
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
        return Err(CliError::new(Exit::Error, format!("{shown} is larger than {FILE_BYTES_MAX} bytes")).into());
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))
}
