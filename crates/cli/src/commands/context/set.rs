//! `redrive context set`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::json;

use crate::cli_error::CliError;
use crate::console::report;
use crate::exit::Exit;
use crate::session::{Context, ContextFile, ContextName, ServerOptions};

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive context set prod --server https://redrive.example.com --key-file ~/.redrive/prod.key --namespace shop

--server, --key-file and --ca-file set the values of the context. The context names the file of the key; the key itself
is not copied.")]
pub(crate) struct Arguments {
    /// Name of the context: letters, digits, '.', '_' and '-'.
    name: ContextName,
    /// Namespace of commands that name none.
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
    /// Remove settings, separated by commas.
    #[arg(long, value_name = "SETTINGS", value_enum, value_delimiter = ',')]
    unset: Vec<Setting>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Setting {
    Server,
    KeyFile,
    CaFile,
    Namespace,
}

pub(super) fn run(arguments: &Arguments, options: &ServerOptions) -> Result<()> {
    let name = &arguments.name;
    let mut file = ContextFile::required()?;
    let is_new = !file.contexts.contains_key(name);
    let context = file.contexts.entry(name.clone()).or_default();
    for setting in &arguments.unset {
        unset(context, *setting);
    }
    if let Some(server) = &options.server {
        check_server(server)?;
        context.server = Some(server.clone());
    }
    if let Some(file) = &options.key_file {
        context.key_file = Some(absolute(file)?);
    }
    if let Some(file) = &options.ca_file {
        context.ca_file = Some(absolute(file)?);
    }
    if let Some(namespace) = &arguments.namespace {
        context.namespace = Some(namespace.clone()).filter(|namespace| !namespace.is_empty());
    }
    file.write()?;
    let (message, outcome) = if is_new {
        (format!("created context '{name}'; use it with: redrive context use {name}"), "created")
    } else {
        (format!("updated context '{name}'"), "updated")
    };
    report(options.format(), &message, &json!({ "name": name.to_string(), "outcome": outcome }))
}

fn unset(context: &mut Context, setting: Setting) {
    match setting {
        Setting::Server => context.server = None,
        Setting::KeyFile => context.key_file = None,
        Setting::CaFile => context.ca_file = None,
        Setting::Namespace => context.namespace = None,
    }
}

/// Checks the form of a server's address; no connection is made.
fn check_server(server: &str) -> Result<(), CliError> {
    redrive_client::Client::new(server).map(drop).map_err(|error| CliError::usage(error.to_string()))
}

/// The path of an existing file, from any folder. A key that was given instead of its file is not a path, and must not
/// be written to the file of contexts.
fn absolute(file: &Path) -> Result<PathBuf, CliError> {
    let unusable = |error: std::io::Error| {
        CliError::usage(format!("cannot read the file {}: {error}", file.display()))
            .remedy("name an existing file that contains nothing but the key or the certificate")
    };
    let path = std::path::absolute(file).map_err(unusable)?;
    let found = std::fs::metadata(&path).map_err(unusable)?;
    if !found.is_file() {
        return Err(CliError::usage(format!("{} is not a file", file.display())));
    }
    if path.to_str().is_none() {
        return Err(CliError::new(Exit::Error, format!("the path {} is not UTF-8", file.display())));
    }
    Ok(path)
}
