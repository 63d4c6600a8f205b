//! Turns an error of a server call into a [`CliError`]: what failed, a remedy, and the exit code.

use std::error::Error;

use redrive_client::proto::querator::QueuesListRequest;
use redrive_client::proto::redrive::v1::WhoamiNamespacesRequest;
use redrive_client::{Client, ClientError};

use super::options::KeySource;
use crate::cli_error::CliError;
use crate::console::printable;
use crate::exit::Exit;

/// The Jaro-Winkler similarity above which an existing queue is suggested for an unknown name.
const SIMILARITY_MIN: f64 = 0.8;
/// Maximum number of namespaces that the remedy of a denial names.
const PERMITTED_MAX: i32 = 5;

pub(super) async fn explain(client: &Client, key: &KeySource, error: &ClientError) -> CliError {
    if error.is_no_such_queue() {
        let name = error.field("queue").unwrap_or_default();
        let not_found = CliError::new(Exit::NotFound, format!("no such queue named '{name}'"));
        return not_found.remedy(match similar_queue(client, name).await {
            Some(similar) => format!("there is one named '{similar}'; list all with: redrive queue list"),
            None => "list all with: redrive queue list".to_owned(),
        });
    }
    if error.is_no_items() {
        return CliError::new(Exit::NoItem, "no item became available in time")
            .remedy("wait longer with --wait, or inspect the queue with: redrive queue stats QUEUE");
    }
    match error {
        ClientError::BadRequest(reported) | ClientError::Failed(reported) => rejected(error, &reported.message),
        ClientError::NotFound(reported) => letter_not_found(error, &reported.message),
        ClientError::Conflict(reported) => {
            let conflict = CliError::new(Exit::Rejected, reported.message.clone());
            match error.reason() {
                Some("stale_revision") => conflict.remedy(
                    "it was changed concurrently, nothing was overwritten; read it again with: redrive letters show",
                ),
                Some("other_payload") => conflict
                    .remedy("change the letter with: redrive letters edit; or capture it with another --source-id"),
                Some("breaker_open") => {
                    conflict.remedy("list open circuits with: redrive letters process QUEUE; retry anyway with --force")
                }
                Some("queue_paused") => {
                    let queue = error.field("queue").unwrap_or_default();
                    conflict.remedy(format!("resume it with: redrive queue resume {queue}; then retry the letter"))
                }
                _ => conflict,
            }
        }
        // The queue to which a letter would be handed back: archiving letters makes no room there.
        ClientError::TooMany(reported) if error.field("max_items").is_some() => {
            let queue = error.field("queue").unwrap_or_default();
            CliError::new(Exit::Rejected, reported.message.clone())
                .remedy(format!("look at its consumers with: redrive queue stats {queue}"))
        }
        ClientError::TooMany(reported) if error.field("max_size").is_some() => {
            let queue = error.field("queue").unwrap_or("QUEUE");
            let problem = reported.message.split(';').next().unwrap_or_default();
            CliError::new(Exit::Rejected, problem).remedy(format!(
                "resolve letters: redrive letters groups {queue}; or raise the limit: redrive letters configure {queue} \
                 max_size=N"
            ))
        }
        ClientError::TooMany(reported) => CliError::new(Exit::Rejected, reported.message.clone()),
        ClientError::Unauthorized(reported) => CliError::new(Exit::Rejected, printable(&reported.message)).remedy(
            format!("{key}; provide another with --key-file FILE, in the variable REDRIVE_API_KEY, or in a context"),
        ),
        ClientError::Denied(reported) => denied(client, key, error, &reported.message).await,
        ClientError::Connect { address, source } => {
            let message = format!("cannot connect to {address}: {}", innermost(source.as_ref()));
            CliError::new(Exit::Unreachable, message).remedy(if is_certificate(source.as_ref()) {
                "trust the certificate of the server, or of the CA that signed it, with --ca-file FILE"
            } else {
                "start a server with: redrive serve; or name one with --server URL, or in REDRIVE_SERVER"
            })
        }
        ClientError::Timeout { address, within } => {
            CliError::new(Exit::Unreachable, format!("no response from {address} within {within}"))
                .remedy("the request may have taken effect: check before you repeat it; --timeout allows more time")
        }
        ClientError::Broken { .. }
        | ClientError::Infrastructure { .. }
        | ClientError::NotUnderstood { .. }
        | ClientError::NotTls { .. }
        | ClientError::TlsRequired { .. }
        | ClientError::NotHttp { .. } => unreachable_server(error),
        _ => CliError::new(Exit::Error, error.to_string()),
    }
}

/// A caller without the permission. The message of the server names both.
async fn denied(client: &Client, key: &KeySource, error: &ClientError, message: &str) -> CliError {
    let denied = CliError::new(Exit::Rejected, printable(message));
    match key {
        KeySource::None | KeySource::Withheld(_) => {
            denied.remedy(format!("{key}; provide one with --key-file FILE, or in the variable REDRIVE_API_KEY"))
        }
        KeySource::Variable | KeySource::File(_) => denied.remedy(format!(
            "{}show your roles with: redrive whoami; an administrator can bind another with: redrive binding create",
            where_permitted(client, error).await.unwrap_or_default()
        )),
    }
}

/// The namespaces in which the caller has the permission that it lacks in that of the request. `None` also if they cannot
/// be listed: the remedy is then shorter.
async fn where_permitted(client: &Client, error: &ClientError) -> Option<String> {
    let permission = error.field("permission")?.to_owned();
    let request = WhoamiNamespacesRequest { permission, limit: PERMITTED_MAX, ..WhoamiNamespacesRequest::default() };
    let namespaces = client.own_namespaces(&request).await.ok()?.namespaces;
    let names = printable(&namespaces.join(", "));
    (!namespaces.is_empty()).then(|| format!("you have it in: {names}; "))
}

/// A request that the server rejected. The remedy is chosen by the reason.
fn rejected(error: &ClientError, message: &str) -> CliError {
    let with_exit = |exit| CliError::new(exit, message.to_owned());
    let field = |name| error.field(name).unwrap_or_default();
    match error.exact_reason().unwrap_or_default() {
        "no_dead_queue" => {
            let name = field("queue");
            CliError::new(Exit::NotFound, format!("no such queue named '{name}'"))
                .remedy(format!("create the dead queue first: redrive queue create {name}"))
        }
        "reason_required" => {
            with_exit(Exit::Usage).remedy("give it with --reason TEXT; the server writes it to the audit record")
        }
        "closed" => with_exit(Exit::Unreachable).remedy("retry when the server is running again"),
        "no_target" => with_exit(Exit::Rejected).remedy(format!(
            "with the permission letters.retry, hand letters back to where they came from with: redrive letters retry \
             {} --all --reason TEXT; or configure a target for the queue: dlq.targets in the server's configuration",
            field("queue")
        )),
        "no_way_back" => with_exit(Exit::Rejected)
            .remedy("configure a target for the letters of this queue: dlq.targets in the server's configuration"),
        "no_such_namespace" => with_exit(Exit::NotFound).remedy("list all with: redrive namespace list"),
        "no_such_user" => with_exit(Exit::NotFound).remedy("list all with: redrive user list"),
        "no_such_role" => {
            with_exit(Exit::NotFound).remedy("list those of a namespace with: redrive role list --namespace NAME")
        }
        "no_such_binding" => {
            with_exit(Exit::NotFound).remedy("list those of a namespace with: redrive binding list --namespace NAME")
        }
        "namespace_has_queues" => with_exit(Exit::Rejected)
            .remedy(format!("list them with: redrive queue list --namespace {}", field("namespace"))),
        "namespace_has_roles" => with_exit(Exit::Rejected)
            .remedy(format!("list them with: redrive role list --namespace {}", field("namespace"))),
        "namespace_has_bindings" => with_exit(Exit::Rejected)
            .remedy(format!("list them with: redrive binding list --namespace {}", field("namespace"))),
        "role_has_bindings" => with_exit(Exit::Rejected)
            .remedy("list them with: redrive binding list; delete them with: redrive binding delete"),
        "unknown_permission" => {
            with_exit(Exit::Rejected).remedy("an administrator sees the names of all permissions with: redrive whoami")
        }
        "no_such_item" => CliError::new(Exit::NotFound, format!("no such item: '{}'", field("id"))).remedy(
            "completed, in another partition, or its lease expired and it has a new id: redrive items list QUEUE",
        ),
        "queue_exists" => {
            let name = field("queue");
            with_exit(Exit::Rejected)
                .remedy(format!("show it with: redrive queue info {name}; change it with: redrive queue update {name}"))
        }
        "queue_in_use" => with_exit(Exit::Rejected)
            .remedy("detach it with: redrive queue update NAME --no-dead-queue; or delete it anyway with --force"),
        "produce_batch_too_large" => with_exit(Exit::Rejected).remedy("reduce the items per request with --batch N"),
        _ => with_exit(Exit::Rejected),
    }
}

/// An unknown letter, in the wording of the original dead letter queue, which existing programs match.
fn letter_not_found(error: &ClientError, message: &str) -> CliError {
    if error.exact_reason() != Some("no_such_letter") {
        return CliError::new(Exit::NotFound, message.to_owned());
    }
    let id = error.field("letter").unwrap_or_default();
    CliError::new(Exit::NotFound, format!("Task {id} not found in dead letter queue"))
        .remedy("it was purged, or is in another queue: redrive letters list QUEUE")
}

/// Whether the certificate of the server was not accepted.
fn is_certificate(error: &(dyn Error + 'static)) -> bool {
    innermost(error).starts_with("invalid peer certificate")
}

/// An error of the client itself. Its text has the problem and the remedy, separated by a semicolon.
fn unreachable_server(error: &ClientError) -> CliError {
    let text = error.to_string();
    match text.split_once("; ") {
        Some((problem, remedy)) => CliError::new(Exit::Unreachable, problem).remedy(remedy),
        None => CliError::new(Exit::Unreachable, text)
            .remedy("the request may have taken effect: check before you repeat it"),
    }
}

fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut inner = error;
    while let Some(cause) = inner.source() {
        inner = cause;
    }
    inner.to_string()
}

/// The existing queue with the most similar name. `None` also if the queues cannot be listed: the remedy is then shorter.
async fn similar_queue(client: &Client, name: &str) -> Option<String> {
    let listed = client.list_queues(&QueuesListRequest::default()).await.ok()?;
    let similarity = |queue: &String| strsim::jaro_winkler(name, queue);
    let names = listed.items.into_iter().map(|queue| queue.queue_name);
    names.filter(|queue| similarity(queue) > SIMILARITY_MIN).max_by(|a, b| similarity(a).total_cmp(&similarity(b)))
}
