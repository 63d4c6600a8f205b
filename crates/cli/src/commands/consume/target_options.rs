//! The options about the target.

use anyhow::{Context, Result};
use redrive_core::OnOutage;
use redrive_routes::TargetSettings;
use serde_json::{Map, Value};

use crate::cli_error::CliError;

#[derive(Debug, clap::Args)]
pub(crate) struct TargetOptions {
    #[command(flatten)]
    address: TargetAddress,
    /// gRPC method, as in /package.Service/Method.
    #[arg(long, value_name = "PATH", requires = "grpc")]
    method: Option<String>,
    /// Argument of the worker. Repeatable.
    #[arg(long, value_name = "TEXT", requires = "worker", allow_hyphen_values = true)]
    worker_argument: Vec<String>,
    /// Further setting of the target by its name in docs/targets.md, as in timeout_ms=5000. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    target_setting: Vec<(String, Value)>,
    /// What an outage of the target does: pause, or dead_letter.
    #[arg(long, value_name = "EFFECT", default_value_t = OnOutage::Pause)]
    pub(super) on_outage: OnOutage,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct TargetAddress {
    /// URL of an HTTP target. Each piece of work is the body of a POST request; 2xx means done.
    #[arg(long, value_name = "URL")]
    http: Option<String>,
    /// Endpoint of a gRPC target, together with --method.
    #[arg(long, value_name = "URL", requires = "method")]
    grpc: Option<String>,
    /// Program of a worker. Its arguments follow with --worker-argument.
    #[arg(long, value_name = "PROGRAM")]
    worker: Option<String>,
}

impl TargetOptions {
    pub(super) fn settings(&self) -> Result<TargetSettings> {
        let mut table = Map::new();
        for (name, value) in [("http", &self.address.http), ("grpc", &self.address.grpc), ("method", &self.method)] {
            if let Some(value) = value {
                table.insert(name.to_owned(), value.as_str().into());
            }
        }
        if let Some(program) = &self.address.worker {
            let command: Vec<&str> =
                std::iter::once(program.as_str()).chain(self.worker_argument.iter().map(String::as_str)).collect();
            table.insert("worker".to_owned(), command.into());
        }
        table.extend(self.target_setting.iter().cloned());
        let settings = serde_json::from_value(Value::Object(table));
        settings.map_err(|error| CliError::usage(format!("--target-setting: {error}"))).context("invalid target")
    }
}

/// A setting by its name. The value is that of TOML; what is none is a text.
pub(super) fn assignment(text: &str) -> Result<(String, Value), &'static str> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in timeout_ms=5000")?;
    let parsed: Option<Value> = format!("value = {value}")
        .parse::<toml::Table>()
        .ok()
        .and_then(|mut table| table.remove("value"))
        .and_then(|value| serde_json::to_value(value).ok());
    Ok((name.trim().to_owned(), parsed.unwrap_or_else(|| Value::from(value))))
}
