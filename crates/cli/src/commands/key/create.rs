//! `redrive key create`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use redrive_client::Span;
use redrive_client::proto::Timestamp;
use redrive_client::proto::querator::{ApiKeysCreateRequest, ApiKeysCreateResponse};
use redrive_core::Time;
use redrive_store::{Clock, SystemClock};
use serde_json::json;

use super::secret_file::SecretFile;
use crate::cli_error::CliError;
use crate::commands::identity::user_id;
use crate::console::say;
use crate::exit::Exit;
use crate::session::Session;
use crate::values::{new_file, parse_duration, parse_time};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive key create ann --name laptop --secret-file ann.key
  redrive key create ci --name builds --namespace shop --expires-in 90d")]
pub(crate) struct Arguments {
    /// Name or id of the user.
    user: String,
    /// Name of the key.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    name: String,
    /// Limit the key to this namespace [default: no limit].
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    namespace: String,
    /// Time from which the key is invalid, as in 2027-01-01T00:00:00Z [default: never].
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    expires_at: Option<Time>,
    /// Lifetime of the key, by the clock of this machine, as in 90d.
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with = "expires_at")]
    expires_in: Option<Span>,
    /// Tag in the key: up to 16 lowercase letters and digits [default: that of the namespace, else live].
    #[arg(long, value_name = "TAG", default_value = "", hide_default_value = true)]
    tag: String,
    /// Write the key to this new file, which only its owner can read, instead of stdout.
    #[arg(long, value_name = "FILE", value_parser = new_file())]
    secret_file: Option<PathBuf>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let file = arguments.secret_file.as_deref().map(SecretFile::create).transpose()?;
    let expires_in = |lifetime| SystemClock.now().saturating_add(lifetime);
    let request = ApiKeysCreateRequest {
        user_id: user_id(session, &arguments.user).await?,
        name: arguments.name.clone(),
        namespace_scope: arguments.namespace.clone(),
        expires_at: arguments.expires_at.or_else(|| arguments.expires_in.map(expires_in)).map(Timestamp::from),
        key_tag: arguments.tag.clone(),
    };
    // Also after an interrupt: the answer is the only place that has the key.
    let made = session.call_to_end(session.client.create_api_key(&request)).await?;
    match (file, &arguments.secret_file) {
        (Some(mut file), Some(path)) => {
            let path = path.display().to_string();
            file.write(&made.key).map_err(|error| not_written(&made, &path, &error))?;
            let message = format!("created key {} of user '{}' and wrote it to {path}", made.id, arguments.user);
            let object =
                json!({ "id": made.id, "user_id": request.user_id, "prefix": made.prefix, "secret_file": path });
            session.report(&message, &object)
        }
        _ => {
            let ApiKeysCreateResponse { id, key, prefix } = &made;
            let object = json!({ "id": id, "user_id": request.user_id, "prefix": prefix, "key": key });
            session.print(&object, |out| {
                say(format_args!("created key {id} of user '{}', shown only once:", arguments.user));
                Ok(writeln!(out, "{key}")?)
            })
        }
    }
}

/// The key exists and is lost.
fn not_written(made: &ApiKeysCreateResponse, path: &str, error: &std::io::Error) -> CliError {
    let message = format!("cannot write {path}: {error}; the key {} was created and is lost", made.id);
    CliError::new(Exit::Error, message).remedy(format!("delete it with: redrive key delete {} --yes", made.id))
}
