//! Paths as arguments. They are checked when the arguments are parsed, so that nothing has been done yet.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

/// A parser for a file that is read. A pipe is one, too.
pub(crate) fn file_to_read() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.metadata() {
        Ok(found) if found.is_dir() => Err("expected a file, and this is a directory".to_owned()),
        Ok(_) => Ok(path),
        Err(error) => Err(format!("expected a file that exists: {}", reason(&error))),
    })
}

/// A parser for a file that is created.
pub(crate) fn new_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        match folder.metadata() {
            Ok(found) if found.is_dir() => Ok(path),
            _ => Err("expected a new file in a directory that exists"),
        }
    })
}

/// A parser for a directory that may exist.
pub(crate) fn directory() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.metadata() {
        Ok(found) if !found.is_dir() => Err("expected a directory, and this is a file".to_owned()),
        // It is created.
        Ok(_) => Ok(path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(path),
        Err(error) => Err(format!("expected a directory: {}", reason(&error))),
    })
}

/// The error without its number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
