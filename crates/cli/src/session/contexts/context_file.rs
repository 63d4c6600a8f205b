//! The file of contexts, `redrive/contexts.toml` in the user's configuration folder.
//!
//! Errors never quote a value of the file: it may be a key that was written there by mistake.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::{Context, ContextName};
use crate::cli_error::CliError;
use crate::exit::Exit;

const FILE_BYTES_MAX: u64 = 1 << 20;
const SETTINGS: &str = "server, key_file, ca_file, namespace";

/// The contexts of the user, and which one is used by default.
#[derive(Debug)]
pub(crate) struct ContextFile {
    path: PathBuf,
    pub(crate) current: Option<ContextName>,
    pub(crate) contexts: BTreeMap<ContextName, Context>,
}

impl ContextFile {
    /// Reads the file. `None` if the environment names no configuration folder; without a file there are no contexts.
    pub(crate) fn read() -> Result<Option<Self>, CliError> {
        let Some(path) = path() else { return Ok(None) };
        let unreadable =
            |error: std::io::Error| CliError::new(Exit::Error, format!("cannot read {}: {error}", path.display()));
        let mut file = Self { path: path.clone(), current: None, contexts: BTreeMap::new() };
        match fs::metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Some(file)),
            Err(error) => return Err(unreadable(error)),
            Ok(found) if found.len() > FILE_BYTES_MAX => {
                return Err(file.invalid(&format!("it is larger than {FILE_BYTES_MAX} bytes")));
            }
            Ok(_) => {}
        }
        let text = fs::read_to_string(&path).map_err(unreadable)?;
        let table: Table = toml::from_str(&text).map_err(|error| file.invalid(&syntax_error(&text, &error)))?;
        file.fill(table)?;
        Ok(Some(file))
    }

    /// Like [`read`](Self::read) for a command about contexts, which needs the file.
    pub(crate) fn required() -> Result<Self, CliError> {
        Self::read()?.ok_or_else(|| {
            CliError::new(Exit::Error, "there is no folder for contexts: neither XDG_CONFIG_HOME nor HOME is set")
        })
    }

    pub(crate) fn find(&self, name: &ContextName) -> Result<&Context, CliError> {
        self.contexts.get(name).ok_or_else(|| self.no_such(name))
    }

    pub(crate) fn no_such(&self, name: &ContextName) -> CliError {
        let message = format!("no such context named '{name}' in {}", self.path.display());
        CliError::new(Exit::NotFound, message).remedy("list all with: redrive context list")
    }

    /// Replaces the file in one step, so that another command never reads a part of it.
    pub(crate) fn write(&self) -> Result<(), CliError> {
        let failed = |error: std::io::Error| {
            CliError::new(Exit::Error, format!("cannot write {}: {error}", self.path.display()))
        };
        // A link is kept: the file that it points to is replaced.
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let new = path.with_extension(format!("toml.{}", std::process::id()));
        let written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new).and_then(|mut file| {
            file.write_all(self.text().as_bytes())?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&new, &path)).map_err(|error| {
            // What is left of it is of no use, and the first error is the one to report.
            let _left_behind = fs::remove_file(&new);
            failed(error)
        })
    }

    fn text(&self) -> String {
        let mut text = String::from("# Written by `redrive context`, which does not keep comments.\n");
        if let Some(current) = &self.current {
            let _infallible = writeln!(text, "current = {}", quoted(&current.to_string()));
        }
        for (name, context) in &self.contexts {
            let _infallible = writeln!(text, "\n[contexts.{}]", quoted(&name.to_string()));
            let Context { server, key_file, ca_file, namespace } = context;
            let shown = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
            for (setting, value) in [
                ("server", server.clone()),
                ("key_file", shown(key_file)),
                ("ca_file", shown(ca_file)),
                ("namespace", namespace.clone()),
            ] {
                if let Some(value) = value {
                    let _infallible = writeln!(text, "{setting} = {}", quoted(&value));
                }
            }
        }
        text
    }

    fn fill(&mut self, table: Table) -> Result<(), CliError> {
        for (name, value) in table {
            match (name.as_str(), value) {
                ("current", Value::String(current)) => {
                    let parsed = current.parse().map_err(|error| self.invalid(&format!("'current': {error}")))?;
                    self.current = Some(parsed);
                }
                ("contexts", Value::Table(contexts)) => {
                    for (name, context) in contexts {
                        let parsed =
                            name.parse().map_err(|error| self.invalid(&format!("the name of a context: {error}")))?;
                        let context = self.context(&parsed, context)?;
                        self.contexts.insert(parsed, context);
                    }
                }
                ("current", _) => return Err(self.invalid("'current' must be the name of a context, as a text")),
                ("contexts", _) => return Err(self.invalid("'contexts' must be a table, as in [contexts.prod]")),
                (unknown, _) => {
                    let why = format!("'{}' is unknown; known are 'current' and 'contexts'", unknown.escape_debug());
                    return Err(self.invalid(&why));
                }
            }
        }
        Ok(())
    }

    fn context(&self, name: &ContextName, value: Value) -> Result<Context, CliError> {
        let Value::Table(settings) = value else {
            return Err(self.invalid(&format!("context '{name}' must be a table, as in [contexts.{name}]")));
        };
        // Relative to the file, as in a file that is shared between machines.
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let mut context = Context::default();
        for (setting, value) in settings {
            let Value::String(value) = value else {
                let setting = setting.escape_debug();
                return Err(self.invalid(&format!("'{setting}' of context '{name}' must be a text in quotes")));
            };
            match setting.as_str() {
                "server" => context.server = Some(value),
                "key_file" => context.key_file = Some(folder.join(value)),
                "ca_file" => context.ca_file = Some(folder.join(value)),
                "namespace" => context.namespace = Some(value),
                "key" => {
                    let why =
                        format!("context '{name}' contains a key; write it to a file, and name that file as key_file");
                    return Err(self.invalid(&why));
                }
                unknown => {
                    let unknown = unknown.escape_debug();
                    let why = format!("context '{name}' has the unknown setting '{unknown}'; known are {SETTINGS}");
                    return Err(self.invalid(&why));
                }
            }
        }
        Ok(context)
    }

    fn invalid(&self, why: &str) -> CliError {
        CliError::new(Exit::Error, format!("{} is not a valid file of contexts: {why}", self.path.display()))
    }
}

/// `$XDG_CONFIG_HOME/redrive/contexts.toml`, or in `~/.config`. A relative `XDG_CONFIG_HOME` is ignored, as its
/// specification demands.
fn path() -> Option<PathBuf> {
    let folder = |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let config = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))?;
    Some(config.join("redrive").join("contexts.toml"))
}

/// The line of a syntax error, without its content.
fn syntax_error(text: &str, error: &toml::de::Error) -> String {
    let at = error.span().map_or(0, |span| span.start.min(text.len()));
    let line = text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    format!("line {line} is not TOML")
}

/// A text as a string of TOML, whose escapes are those of JSON, and one more.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
