//! `redrive-generate`: writes the generated files into the workspace.

use std::process::ExitCode;

fn main() -> ExitCode {
    match write() {
        Ok(count) => {
            eprintln!("{count} files are up to date");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> anyhow::Result<usize> {
    let root = redrive_generate::root();
    let files = redrive_generate::generate(&root)?;
    for (path, text) in &files {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(files.len())
}
