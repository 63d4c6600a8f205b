//! Targets by name, and the targets of queues.

use std::collections::BTreeMap;
use std::fmt;

use anyhow::{Context, Result, bail};
use redrive_core::{NamespaceName, QueueName, TargetName};
use redrive_routes::TargetSettings;
use serde::Deserialize;
use toml::{Table, Value};

/// The targets of the `[targets.NAME]` sections.
pub(crate) type NamedTargets = BTreeMap<TargetName, TargetSettings>;

/// An entry of `dlq.targets`: a queue, and the name of a target or the target itself.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LetterTarget {
    queue: String,
    /// The namespace in which the queue is created.
    namespace: Option<String>,
    target: Option<String>,
    http: Option<String>,
    grpc: Option<String>,
    method: Option<String>,
    worker: Option<Vec<String>>,
    processes: Option<i64>,
    #[serde(default)]
    origin: bool,
}

/// The target of a queue.
pub(crate) enum ResolvedTarget<'t> {
    Named(&'t TargetName, &'t TargetSettings),
    Inline(Box<TargetSettings>),
}

impl LetterTarget {
    pub(crate) fn queue(&self) -> Result<QueueName> {
        let name = &self.queue;
        QueueName::new(name).with_context(|| format!("dlq.targets: '{name}' is not a valid queue name"))
    }

    /// The namespace in which the queue is created; `None` for `_system`.
    pub(crate) fn namespace(&self) -> Result<Option<NamespaceName>> {
        let Some(name) = self.namespace.as_deref().filter(|name| *name != "_system") else { return Ok(None) };
        let cannot = || format!("dlq.targets: '{name}' is not a valid namespace for '{}'", self.queue);
        let namespace = NamespaceName::new(name).with_context(cannot)?;
        if namespace.is_reserved() {
            bail!("dlq.targets: the namespace '{name}' of '{}' is reserved, as all that begin with '_'", self.queue);
        }
        Ok(Some(namespace))
    }

    pub(crate) fn resolve<'t>(&self, targets: &'t NamedTargets) -> Result<ResolvedTarget<'t>> {
        let Self { queue, namespace: _, target, http, grpc, method, worker, processes, origin } = self.clone();
        let inline = TargetSettings { http, grpc, method, worker, processes, origin, ..TargetSettings::default() };
        let Some(name) = target else { return Ok(ResolvedTarget::Inline(Box::new(inline))) };
        if inline != TargetSettings::default() {
            bail!("dlq.targets: '{queue}' has the name of a target and its settings; keep one of them");
        }
        if let Some((name, settings)) = targets.get_key_value(name.as_str()) {
            return Ok(ResolvedTarget::Named(name, settings));
        }
        let known: Vec<&str> = targets.keys().map(TargetName::as_str).collect();
        match known.as_slice() {
            [] => {
                bail!("dlq.targets: '{queue}' names the target '{name}', and the file has none; write [targets.{name}]")
            }
            known => bail!("dlq.targets: '{queue}' names the target '{name}'; known targets: {}", known.join(", ")),
        }
    }
}

impl ResolvedTarget<'_> {
    pub(crate) fn settings(&self) -> &TargetSettings {
        match self {
            Self::Named(_, settings) => settings,
            Self::Inline(settings) => settings,
        }
    }
}

/// Without addresses and arguments, which may be secrets.
impl fmt::Debug for LetterTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LetterTarget").field("queue", &self.queue).field("target", &self.target).finish_non_exhaustive()
    }
}

/// Fails unless all targets of a file are sections. Otherwise the error would show a value, which may be a secret.
pub(super) fn check_sections(table: &Table) -> Result<()> {
    match table.get("targets") {
        None => Ok(()),
        Some(Value::Table(targets)) => match targets.iter().find(|(_, target)| !target.is_table()) {
            None => Ok(()),
            Some((key, _)) => bail!("targets.{key} is not a section; write [targets.NAME], and its settings below it"),
        },
        Some(_) => bail!("targets is not a section; write [targets.NAME], and its settings below it"),
    }
}
