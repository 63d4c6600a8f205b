//! The options of every command that calls a server.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use redrive_client::{BuildError, Client, ClientBuilder, Span};

use super::contexts::{Context, ContextFile, ContextName};
use crate::cli_error::CliError;
use crate::console::Format;
use crate::exit::Exit;
use crate::values::parse_duration;

/// The maximum size of a key or certificate file, in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;
pub(crate) const DEFAULT_SERVER: &str = "http://127.0.0.1:2319";

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct ServerOptions {
    /// Server URL, http or https [env: REDRIVE_SERVER] [default: that of the context, else http://127.0.0.1:2319].
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,
    /// Read the API key from this file instead of the variable REDRIVE_API_KEY. The key itself is not an argument: other
    /// users of the machine can read the arguments of a process.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Trust this PEM certificate in addition to the system's certificates.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,
    /// Context with server, key file and namespace [env: REDRIVE_CONTEXT] [default: that of `redrive context use`].
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) context: Option<ContextName>,
    /// Maximum time for a response, in addition to the --wait time of a lease.
    #[arg(long, global = true, value_name = "TIME", default_value_t = ClientBuilder::DEADLINE, value_parser = parse_duration)]
    timeout: Span,
    /// Output format.
    #[arg(long, global = true, value_enum, default_value_t)]
    output: Format,
    /// Same as --output json.
    #[arg(short, long, global = true)]
    json: bool,
}

/// The connection that the options, the environment and the context select together.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) client: Client,
    pub(super) key: KeySource,
    pub(super) context: Option<ContextName>,
    /// The namespace of the context.
    pub(super) namespace: Option<String>,
}

/// Where the API key comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeySource {
    None,
    Variable,
    File(PathBuf),
    /// The context has a key, which is not sent because the server is not that of the context.
    Withheld(ContextName),
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("no API key was sent"),
            Self::Variable => f.write_str("the API key is that of the variable REDRIVE_API_KEY"),
            Self::File(file) => write!(f, "the API key is that of {}", file.display()),
            Self::Withheld(context) => {
                write!(f, "no API key was sent: that of the context '{context}' is for another server")
            }
        }
    }
}

impl ServerOptions {
    pub(crate) const fn format(&self) -> Format {
        if self.json { Format::Json } else { self.output }
    }

    /// Rejects `--output json` of a command whose output has a format of its own.
    pub(crate) fn reject_json(&self, why: &str) -> Result<(), CliError> {
        match self.format() {
            Format::Table => Ok(()),
            Format::Json => Err(CliError::usage(format!("this command has no JSON output: {why}"))
                .remedy("run it without --json and --output json")),
        }
    }

    pub(super) fn connection(&self) -> Result<Connection> {
        let (name, context) = self.selected_context()?.unzip();
        let context = context.unwrap_or_default();
        let own = context.server.as_deref().unwrap_or(DEFAULT_SERVER);
        // A context that is named on the command line precedes variables.
        let of_variable = variable("REDRIVE_SERVER").filter(|_| self.context.is_none() || context.server.is_none());
        let server = self.server.clone().or(of_variable).unwrap_or_else(|| own.to_owned());
        // A key is a secret between its user and one server.
        let is_own = is_same_server(&server, own);
        let mut builder = Client::builder(&server).deadline(self.timeout);
        let (key, source) = self.key(&context, name.as_ref(), is_own)?;
        if let Some(key) = key {
            builder = builder.key(key);
        }
        if let Some(file) = self.ca_file.as_ref().or_else(|| context.ca_file.as_ref().filter(|_| is_own)) {
            let pem = if self.ca_file.is_some() { read_option(file, "--ca-file <FILE>")? } else { read(file)? };
            builder = builder.trust_pem(pem.as_bytes()).with_context(|| format!("in {}", file.display()))?;
        }
        // An error here is caused by the arguments: there is no connection yet.
        let client = builder.build().map_err(|error| match (&self.server, error) {
            (Some(server), BuildError::Address { why, .. }) => {
                invalid(server, "--server <URL>", &format!("{why}; expected a URL, as in {DEFAULT_SERVER}"))
            }
            (_, error) => CliError::usage(error.to_string()),
        })?;
        Ok(Connection { client, key: source, context: name, namespace: context.namespace })
    }

    /// The context that the options, the environment or the file of contexts select.
    fn selected_context(&self) -> Result<Option<(ContextName, Context)>> {
        let Some(file) = ContextFile::read()? else {
            return match self.wanted_context()? {
                Some(name) => Err(no_folder(&name).into()),
                None => Ok(None),
            };
        };
        let Some(name) = self.selected_name(&file)? else { return Ok(None) };
        let context = file.find(&name)?.clone();
        Ok(Some((name, context)))
    }

    /// The name of the selected context, which need not exist.
    pub(crate) fn selected_name(&self, file: &ContextFile) -> Result<Option<ContextName>, CliError> {
        Ok(self.wanted_context()?.or_else(|| file.current.clone()))
    }

    /// The context that the options or the environment name.
    fn wanted_context(&self) -> Result<Option<ContextName>, CliError> {
        if let Some(name) = &self.context {
            return Ok(Some(name.clone()));
        }
        let Some(name) = variable("REDRIVE_CONTEXT") else { return Ok(None) };
        name.parse().map(Some).map_err(|error| CliError::usage(format!("REDRIVE_CONTEXT is invalid: {error}")))
    }

    fn key(&self, context: &Context, name: Option<&ContextName>, is_own: bool) -> Result<(Option<String>, KeySource)> {
        if let Some(file) = &self.key_file {
            let key = read_option(file, "--key-file <FILE>")?;
            return Ok((Some(key.trim().to_owned()), KeySource::File(file.clone())));
        }
        let has_own = self.context.is_some() && context.key_file.is_some();
        if let Some(key) = variable("REDRIVE_API_KEY").filter(|_| !has_own) {
            return Ok((Some(key), KeySource::Variable));
        }
        match (&context.key_file, name) {
            (Some(file), Some(name)) if is_own => {
                let key = read(file).with_context(|| format!("the key file of the context '{name}'"))?;
                Ok((Some(key.trim().to_owned()), KeySource::File(file.clone())))
            }
            (Some(_), Some(name)) => Ok((None, KeySource::Withheld(name.clone()))),
            _ => Ok((None, KeySource::None)),
        }
    }
}

/// An environment variable; an empty one counts as unset.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn no_folder(name: &ContextName) -> CliError {
    let message = format!("no such context named '{name}': neither XDG_CONFIG_HOME nor HOME is set");
    CliError::new(Exit::NotFound, message)
}

/// Whether two URLs name the same server. Different spellings count as different servers.
fn is_same_server(one: &str, other: &str) -> bool {
    let plain = |url: &str| {
        let url = url.trim_end_matches('/').to_ascii_lowercase();
        // An address without a scheme is http.
        url.strip_prefix("http://").map(str::to_owned).unwrap_or(url)
    };
    plain(one) == plain(other)
}

/// The error of a value that the argument parser accepts, in the words of the parser.
fn invalid(value: &str, option: &str, expected: &str) -> CliError {
    CliError::usage(format!("invalid value '{value}' for '{option}': {expected}"))
}

/// Reads the file of an option. Of a command that stores only its name, as `context set`, it need not exist.
fn read_option(file: &Path, option: &str) -> Result<String> {
    read(file).map_err(|error| {
        invalid(&file.display().to_string(), option, &format!("expected a readable file: {error:#}")).into()
    })
}

fn read(file: &Path) -> Result<String> {
    let shown = file.display();
    let size = std::fs::metadata(file).with_context(|| format!("cannot read {shown}"))?.len();
    if size > FILE_BYTES_MAX {
        return Err(CliError::new(Exit::Error, format!("{shown} is larger than {FILE_BYTES_MAX} bytes")).into());
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))
}

#[cfg(test)]
mod tests {
    use super::is_same_server;

    #[test]
    fn a_server_is_the_same_in_its_usual_spellings_only() {
        assert!(is_same_server("http://127.0.0.1:2319/", "127.0.0.1:2319"));
        assert!(is_same_server("https://Redrive.example.com", "https://redrive.example.com/"));
        assert!(!is_same_server("https://redrive.example.com", "http://redrive.example.com"));
        assert!(!is_same_server("https://redrive.example.com", "https://redrive.example.com.evil.example"));
    }
}
