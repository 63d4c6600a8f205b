//! A pool starts when all of its workers have greeted, or says why not.

use std::error::Error;
use std::path::{Path, PathBuf};

use redrive_core::Span;
use redrive_run::{WorkerCommand, WorkerError, WorkerPool};

use super::rig::{EXAMPLES, Ear, is_gone, number, python, soon};

const NO_ARGS: [&str; 0] = [];

async fn refused(command: WorkerCommand) -> WorkerError {
    soon(WorkerPool::start(command)).await.unwrap_err()
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let error = refused(WorkerCommand::new("no-such-program-anywhere", NO_ARGS)).await;
    let expected = "no program 'no-such-program-anywhere' was found; give its path, or put it on the PATH";
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_program_that_may_not_be_executed_is_named() {
    let error = refused(WorkerCommand::new(PathBuf::from(EXAMPLES).join("worker.py"), NO_ARGS)).await;
    assert!(matches!(error, WorkerError::NotExecutable { .. }), "{error}");
    assert!(error.to_string().contains("chmod +x"), "{error}");
}

#[tokio::test]
async fn a_directory_that_is_not_there_is_named() {
    let command = WorkerCommand { directory: Some("/no/such/directory".into()), ..python("worker.run(None)") };
    let error = refused(command).await;
    assert!(matches!(error, WorkerError::NoDirectory { .. }), "{error}");
}

#[tokio::test]
async fn an_interpreter_that_is_not_there_is_told_from_a_missing_program() {
    use std::os::unix::fs::PermissionsExt;
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("worker-without-interpreter");
    std::fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let error = refused(WorkerCommand::new(&script, NO_ARGS)).await;
    assert!(matches!(error, WorkerError::NoInterpreter { .. }), "{error}");
}

#[tokio::test]
async fn a_worker_that_ends_before_it_greets_is_told_with_its_status() {
    let error = refused(python("sys.exit(4)")).await;
    assert!(error.to_string().contains("exit status: 4"), "{error}");
}

#[tokio::test]
async fn a_worker_that_closes_its_stdout_instead_of_greeting_is_refused() {
    let error = refused(python("os.close(1)\nhang()")).await;
    assert!(matches!(error, WorkerError::Closed), "{error}");
}

#[tokio::test]
async fn a_worker_that_speaks_another_version_is_refused() {
    let error = refused(python("write({'type': 'hello', 'version': 2})\nhang()")).await;
    assert!(matches!(error, WorkerError::Version { found: 2 }), "{error}");
    assert!(error.to_string().contains("version 2") && error.to_string().contains("this is 1"), "{error}");
}

#[tokio::test]
async fn a_worker_that_prints_something_else_first_is_refused() {
    let error = refused(python("raw(b'Welcome to my worker!')\nhang()")).await;
    assert!(matches!(error, WorkerError::Protocol(_)), "{error}");
    assert!(error.source().unwrap().to_string().contains("print nothing but frames"), "{error:?}");
    let error = refused(python("write({'type': 'beat', 'call': 1})\nhang()")).await;
    assert!(error.source().unwrap().to_string().contains("where its hello should stand"), "{error:?}");
}

#[tokio::test]
async fn a_worker_that_does_not_greet_in_time_is_refused_and_killed() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("silent-worker-{}", std::process::id()));
    let mut command = WorkerCommand::new("sh", ["-c", "echo $$ > \"$PLACE\"; exec sleep 1000"]);
    command.env.insert("PLACE".into(), place.clone().into());
    command.start_within = Span::from_secs(1);
    let error = refused(command).await;
    assert!(matches!(error, WorkerError::Silent { .. }), "{error}");
    assert!(is_gone(number(&std::fs::read(&place).unwrap())));
    std::fs::remove_file(place).unwrap();
}

#[tokio::test]
async fn when_one_worker_does_not_start_none_is_left() {
    let ear = Ear::new().await;
    // Whoever is first at the directory greets; the second does not.
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("first-worker-{}", std::process::id()));
    let script = "
tell('here')
try:
    os.mkdir(os.environ['PLACE'])
except FileExistsError:
    sys.exit(1)
worker.run(None)
";
    let mut command = WorkerCommand { processes: 2, ..ear.python(script) };
    command.env.insert("PLACE".into(), place.clone().into());
    let error = refused(command).await;
    std::fs::remove_dir(place).unwrap();
    assert!(matches!(error, WorkerError::Ended { .. }), "{error}");
    for _ in 0..2 {
        ear.hear().await.until_dead().await;
    }
}

#[tokio::test]
async fn settings_out_of_bounds_are_refused_before_anything_is_started() {
    let none = WorkerCommand { processes: 0, ..python("") };
    assert!(refused(none).await.to_string().starts_with("processes is invalid: '0'; allowed: 1 to"));
    let small = WorkerCommand { frame_bytes_max: 10, ..python("") };
    assert!(refused(small).await.to_string().starts_with("frame_bytes_max is invalid"));
    let never = WorkerCommand { start_within: Span::ZERO, ..python("") };
    assert!(refused(never).await.to_string().starts_with("start_within is invalid"));
    assert!(refused(WorkerCommand::new("", NO_ARGS)).await.to_string().starts_with("program is missing"));
}

#[test]
fn the_environment_of_workers_is_not_shown() {
    let mut command = python("");
    command.env.insert("TOKEN".into(), "hunter2".into());
    let shown = format!("{command:?}");
    assert!(shown.contains("TOKEN") && !shown.contains("hunter2"), "{shown}");
}
