//! `redrive consume queue`.

use anyhow::Result;
use redrive_routes::Connections;
use serde_json::{Map, Value};

use super::foreground_route::{consume, own_namespace};
use super::target_options::{TargetOptions, assignment};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive consume queue orders --http http://127.0.0.1:9000/")]
pub(crate) struct Arguments {
    /// Queue name. It needs a dead queue, which gets the letters.
    queue: String,
    /// Further setting of the source by its name in docs/routes.md, as in concurrency=4. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    setting: Vec<(String, Value)>,
    #[command(flatten)]
    target: TargetOptions,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let info = session.queue_info(&arguments.queue).await?;
    let mut queue = Map::from_iter([("name".to_owned(), arguments.queue.as_str().into())]);
    queue.extend(arguments.setting.iter().cloned());
    let route = Map::from_iter([
        ("queue".to_owned(), queue.into()),
        ("namespace".to_owned(), own_namespace(info.namespace).into()),
    ]);
    consume(session, &arguments.target, Connections::default(), route).await
}
