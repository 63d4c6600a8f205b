//! What is checked before a server is used: its version, and the permissions of the user.

use std::time::Duration;

use redis::{Cmd, Value};

use crate::answers::{array, text};
use crate::connection::Connections;
use crate::error::RedisError;
use crate::keys::{MailboxKeys, pattern};
use crate::scripts::Scripts;

/// The oldest version: blocking commands with fractions of a second, and scripts that replicate their effects.
const VERSION_MIN: (u32, u32) = (6, 2);

/// Rejects servers that are too old.
pub(crate) async fn check_version(connections: &Connections) -> Result<(), RedisError> {
    let mut command = Cmd::new();
    command.arg("INFO").arg("server");
    let namespace = &connections.settings().namespace;
    let info = connections.run(&command).await.map_err(|error| RedisError::at_start(&error, namespace))?;
    // A cluster answers for each of its nodes.
    let texts: Vec<String> = match info {
        Value::Map(nodes) => nodes.into_iter().filter_map(|(_, info)| info_text(info)).collect(),
        info => info_text(info).into_iter().collect(),
    };
    if texts.is_empty() {
        return Err(RedisError::NoVersion("INFO has no text".to_owned()));
    }
    texts.iter().try_for_each(|text| check_info(text))
}

fn info_text(value: Value) -> Option<String> {
    match value {
        Value::VerbatimString { text, .. } => Some(text),
        other => text(other).ok(),
    }
}

fn check_info(info: &str) -> Result<(), RedisError> {
    let version = info.lines().find_map(|line| line.trim().strip_prefix("redis_version:"));
    let version = version.ok_or_else(|| RedisError::NoVersion("INFO has no redis_version".to_owned()))?;
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) if (major, minor) >= VERSION_MIN => Ok(()),
        (Some(_), Some(_)) => Err(RedisError::TooOld { found: version.to_owned() }),
        _ => Err(RedisError::NoVersion(version.to_owned())),
    }
}

/// Rejects users that lack a permission which an operation on this mailbox would need.
pub(crate) async fn check_permissions(
    connections: &Connections,
    scripts: &Scripts,
    keys: &MailboxKeys,
) -> Result<(), RedisError> {
    let namespace = &connections.settings().namespace;
    let at_start = |error: redis::RedisError| RedisError::at_start(&error, namespace);
    let probe = keys.probe();
    let denied = connections.call(&scripts.probe, &[&probe], &[]).await.map_err(at_start)?;
    let unreadable = || RedisError::Server("the probe has no readable answer".to_owned());
    let denied = array(denied).map_err(|_| unreadable())?;
    let denied: Vec<String> = denied
        .into_iter()
        .map(|command| text(command).map(|name| name.to_lowercase()))
        .collect::<Result<_, _>>()
        .map_err(|_| unreadable())?;
    if !denied.is_empty() {
        return Err(RedisError::NotPermitted { keys: pattern(namespace), commands: denied });
    }
    connections.block_on(&probe, Duration::from_millis(1)).await.map_err(at_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_from_6_2_on_are_accepted() {
        for version in ["6.2.0", "6.2.14", "7.0.15", "8.0.0-rc1", "255.255.255", "10.0"] {
            assert_eq!(check_info(&format!("# Server\r\nredis_version:{version}\r\nos:x\r\n")), Ok(()), "{version}");
        }
        for version in ["6.0.16", "6.1.240", "5.0.7", "2.8"] {
            let too_old = Err(RedisError::TooOld { found: version.to_owned() });
            assert_eq!(check_info(&format!("redis_version:{version}\r\n")), too_old);
        }
        for info in ["", "redis_version:", "redis_version:unstable", "version:7.0.0"] {
            assert!(matches!(check_info(info), Err(RedisError::NoVersion(_))), "{info}");
        }
    }
}
