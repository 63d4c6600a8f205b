//! The program of a worker.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::TargetError;

/// Fails unless the program is an executable file, or a name on the PATH.
pub(super) fn check(program: &Path) -> Result<(), TargetError> {
    let is_program =
        |path: &Path| path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0);
    let is_found = if program.components().count() > 1 {
        is_program(program)
    } else {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&folders).any(|folder| is_program(&folder.join(program)))
    };
    if is_found { Ok(()) } else { Err(TargetError::NoSuchProgram(program.to_owned())) }
}
