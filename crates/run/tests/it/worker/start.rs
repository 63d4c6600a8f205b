//! A pool starts when all its workers have sent their hello; otherwise the start fails with the reason.

use std::error::Error;
use std::path::PathBuf;

use redrive_core::Span;
use redrive_run::{WorkerCommand, WorkerError, WorkerPool};
use redrive_testkit::folder;

use super::fixture::{EXAMPLES, ReportListener, is_gone, number, python, with_timeout};

const NO_ARGS: [&str; 0] = [];

async fn start_error(command: WorkerCommand) -> WorkerError {
    with_timeout(WorkerPool::start(command)).await.unwrap_err()
}

#[tokio::test]
async fn a_missing_program_is_named_in_the_error() {
    let error = start_error(WorkerCommand::new("no-such-program-anywhere", NO_ARGS)).await;
    let expected = "no program 'no-such-program-anywhere' was found; give its path, or put it on the PATH";
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_program_without_execute_permission_is_an_error_with_a_remedy() {
    let error = start_error(WorkerCommand::new(PathBuf::from(EXAMPLES).join("worker.py"), NO_ARGS)).await;
    assert!(matches!(error, WorkerError::NotExecutable { .. }), "{error}");
    assert!(error.to_string().contains("chmod +x"), "{error}");
}

#[tokio::test]
async fn a_missing_working_directory_is_an_error() {
    let command = WorkerCommand { directory: Some("/no/such/directory".into()), ..python("worker.run(None)") };
    let error = start_error(command).await;
    assert!(matches!(error, WorkerError::NoDirectory { .. }), "{error}");
}

#[tokio::test]
async fn a_missing_interpreter_is_distinguished_from_a_missing_program() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("worker");
    let script = folder.path().join("worker-without-interpreter");
    std::fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let error = start_error(WorkerCommand::new(&script, NO_ARGS)).await;
    assert!(matches!(error, WorkerError::NoInterpreter { .. }), "{error}");
}

#[tokio::test]
async fn the_exit_status_of_a_worker_that_ended_before_its_hello_is_in_the_error() {
    let error = start_error(python("sys.exit(4)")).await;
    assert!(error.to_string().contains("exit status: 4"), "{error}");
}

#[tokio::test]
async fn a_worker_that_closes_its_stdout_before_its_hello_is_an_error() {
    let error = start_error(python("os.close(1)\nhang()")).await;
    assert!(matches!(error, WorkerError::Closed), "{error}");
}

#[tokio::test]
async fn an_unknown_protocol_version_is_an_error() {
    let error = start_error(python("write({'type': 'hello', 'version': 2})\nhang()")).await;
    assert!(matches!(error, WorkerError::Version { found: 2 }), "{error}");
    assert!(error.to_string().contains("version 2") && error.to_string().contains("this is 1"), "{error}");
}

#[tokio::test]
async fn any_output_before_the_hello_is_an_error() {
    let error = start_error(python("raw(b'Welcome to my worker!')\nhang()")).await;
    assert!(matches!(error, WorkerError::Protocol(_)), "{error}");
    assert!(error.source().unwrap().to_string().contains("print nothing but frames"), "{error:?}");
    let error = start_error(python("write({'type': 'beat', 'call': 1})\nhang()")).await;
    assert!(error.source().unwrap().to_string().contains("where its hello should stand"), "{error:?}");
}

#[tokio::test]
async fn a_worker_without_a_hello_in_time_is_killed() {
    let folder = folder("worker");
    let path = folder.path().join("silent");
    let mut command = WorkerCommand::new("sh", ["-c", "echo $$ > \"$MARKER\"; exec sleep 1000"]);
    command.env.insert("MARKER".into(), path.clone().into());
    command.start_within = Span::from_secs(1);
    let error = start_error(command).await;
    assert!(matches!(error, WorkerError::Silent { .. }), "{error}");
    assert!(is_gone(number(&std::fs::read(path).unwrap())));
}

#[tokio::test]
async fn no_worker_is_left_if_one_does_not_start() {
    let listener = ReportListener::new().await;
    // The worker that creates the directory sends its hello; the other one exits.
    let folder = folder("worker");
    let script = "
report('here')
try:
    os.mkdir(os.environ['MARKER'])
except FileExistsError:
    sys.exit(1)
worker.run(None)
";
    let mut command = WorkerCommand { processes: 2, ..listener.python(script) };
    command.env.insert("MARKER".into(), folder.path().join("first").into());
    let error = start_error(command).await;
    assert!(matches!(error, WorkerError::Ended { .. }), "{error}");
    for _ in 0..2 {
        listener.next().await.until_closed().await;
    }
}

#[tokio::test]
async fn settings_out_of_range_are_rejected_before_a_worker_is_started() {
    let none = WorkerCommand { processes: 0, ..python("") };
    assert!(start_error(none).await.to_string().starts_with("processes is invalid: '0'; allowed: 1 to"));
    let small = WorkerCommand { frame_bytes_max: 10, ..python("") };
    assert!(start_error(small).await.to_string().starts_with("frame_bytes_max is invalid"));
    let never = WorkerCommand { start_within: Span::ZERO, ..python("") };
    assert!(start_error(never).await.to_string().starts_with("start_within is invalid"));
    assert!(start_error(WorkerCommand::new("", NO_ARGS)).await.to_string().starts_with("program is missing"));
}

#[test]
fn debug_output_hides_the_values_of_the_environment() {
    let mut command = python("");
    command.env.insert("TOKEN".into(), "hunter2".into());
    let shown = format!("{command:?}");
    assert!(shown.contains("TOKEN") && !shown.contains("hunter2"), "{shown}");
}
