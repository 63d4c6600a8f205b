//! `redrive consume mailbox`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use redrive_routes::{Connections, RedisServerSettings, SecretSource};
use serde_json::{Map, Value};

use super::foreground_route::{consume, own_namespace};
use super::target_options::{TargetOptions, assignment};
use crate::session::Session;
use crate::values::file_to_read;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive consume mailbox requests --redis redis://localhost:6379 --letters requests-dlq --http http://127.0.0.1:9000/
  redrive consume mailbox requests --redis rediss://redis.internal:6380 --user worker --password-file password.txt \\
      --dead-queue requests-dead --reply 'replies-*' --worker ./answer")]
pub(crate) struct Arguments {
    /// Mailbox name.
    mailbox: String,
    /// Redis server, as in redis://HOST:PORT or rediss://HOST:PORT.
    #[arg(long, value_name = "URL")]
    redis: String,
    /// User of the Redis server. Default: the user `default`, if there is a password.
    #[arg(long, value_name = "NAME", requires = "password_file")]
    user: Option<String>,
    /// File with the password of the Redis server.
    #[arg(long, value_name = "FILE", value_parser = file_to_read())]
    password_file: Option<PathBuf>,
    #[command(flatten)]
    letters: LetterOptions,
    /// Mailbox to which replies may be sent; one that ends in * allows all names that begin with the rest. Repeatable.
    #[arg(long, value_name = "NAME")]
    reply: Vec<String>,
    /// Further setting of the source by its name in docs/routes.md, as in concurrency=4. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    setting: Vec<(String, Value)>,
    #[command(flatten)]
    target: TargetOptions,
}

#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct LetterOptions {
    /// Mailbox for letters, on the same Redis server.
    #[arg(long, value_name = "NAME")]
    letters: Option<String>,
    /// Queue of the Redrive server for letters.
    #[arg(long, value_name = "QUEUE")]
    dead_queue: Option<String>,
}

/// The name of the Redis server of the options.
const REDIS: &str = "redis";

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let server = RedisServerSettings {
        url: Some(arguments.redis.clone()),
        user: arguments.user.clone(),
        password: arguments.password_file.clone().map(SecretSource::File),
        ..RedisServerSettings::default()
    };
    let mut mailbox = Map::from_iter([
        ("name".to_owned(), arguments.mailbox.as_str().into()),
        ("redis".to_owned(), REDIS.into()),
        ("replies".to_owned(), arguments.reply.clone().into()),
    ]);
    let mut route = Map::new();
    if let Some(letters) = &arguments.letters.letters {
        mailbox.insert("letters".to_owned(), letters.as_str().into());
    }
    if let Some(queue) = &arguments.letters.dead_queue {
        route.insert("dead_queue".to_owned(), queue.as_str().into());
        route.insert("namespace".to_owned(), own_namespace(session.queue_info(queue).await?.namespace).into());
    }
    mailbox.extend(arguments.setting.iter().cloned());
    route.insert("mailbox".to_owned(), mailbox.into());
    let redis = BTreeMap::from([(REDIS.to_owned(), server)]);
    consume(session, &arguments.target, Connections { redis, ..Connections::default() }, route).await
}
