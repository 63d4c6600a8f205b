//! The subcommands of `redrive user`.

use anyhow::Result;
use redrive_client::proto::querator::{UsersCreateRequest, UsersDeleteRequest};
use serde_json::json;

use super::user_line::{HEADER, UserLine, fields, row};
use crate::commands::identity::{Audited, find_user, user_id, users};
use crate::session::Session;

pub(crate) type Arguments = Audited<Action>;

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// Create a user. It has no permissions until a role is bound to it.
    #[command(after_help = "Example:
  redrive user create ann --email ann@example.com")]
    Create {
        /// User name.
        name: String,
        /// Email address.
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        email: String,
        /// Id of the user in another system.
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        external_id: String,
    },
    /// List users in the order of their creation.
    #[command(after_help = "Example:
  redrive user list --output json")]
    List,
    /// Show a user.
    #[command(visible_alias = "get")]
    #[command(after_help = "Example:
  redrive user show ann")]
    Show {
        /// Name or id of the user.
        user: String,
    },
    /// Delete a user with its API keys and bindings.
    #[command(after_help = "Example:
  redrive user delete ann --yes --reason 'left the company'")]
    Delete {
        /// Name or id of the user.
        user: String,
        /// Do not prompt for confirmation.
        #[arg(long)]
        yes: bool,
    },
}

pub(crate) async fn run(action: &Action, session: &Session) -> Result<()> {
    match action {
        Action::Create { name, email, external_id } => {
            let (email, external_id) = (email.clone(), external_id.clone());
            create(UsersCreateRequest { username: name.clone(), email, external_id }, session).await
        }
        Action::List => {
            users(session).print(HEADER, |lines, user| lines.push(|| row(user), &UserLine::from(user))).await
        }
        Action::Show { user } => {
            let user = find_user(session, user).await?;
            session.show(fields(&user), &UserLine::from(&user))
        }
        Action::Delete { user, yes } => delete(user, *yes, session).await,
    }
}

async fn create(request: UsersCreateRequest, session: &Session) -> Result<()> {
    let id = session.call(session.client.create_user(&request)).await?.id;
    let name = &request.username;
    let message = format!("created user '{name}' with the id {id}; give it a role with: redrive binding create");
    session.report(&message, &json!({ "id": id, "username": name }))
}

async fn delete(user: &str, is_confirmed: bool, session: &Session) -> Result<()> {
    if !session.is_confirmed(format!("delete the user '{user}' with its API keys and bindings"), is_confirmed).await? {
        return Ok(());
    }
    let id = user_id(session, user).await?;
    session.call(session.client.delete_user(&UsersDeleteRequest { id: id.clone() })).await?;
    session.report(&format!("deleted user '{user}'"), &json!({ "id": id, "outcome": "deleted" }))
}
