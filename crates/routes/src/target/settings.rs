//! The settings of a target, as they are written in a configuration file.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use redrive_run::ExpectedStatus;
use serde::Deserialize;

use super::{KafkaOriginSettings, MailboxOriginSettings, SecretSource, TargetError, TargetKind};

/// The settings of a target: exactly one of `http`, `grpc`, `worker` and `origin`, and what is known about it.
/// `docs/targets.md` describes each of them.
#[derive(Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetSettings {
    /// The URL of an HTTP target.
    pub http: Option<String>,
    /// The endpoint of a gRPC target.
    pub grpc: Option<String>,
    /// The program of a worker, and its arguments.
    pub worker: Option<Vec<String>>,
    /// Where a letter came from: its queue, with `kafka` its topic, or with `mailbox` its mailbox.
    #[serde(default)]
    pub origin: bool,
    /// The topics of a cluster to which an origin target hands letters back.
    pub kafka: Option<KafkaOriginSettings>,
    /// The mailboxes to which an origin target hands letters back.
    pub mailbox: Option<MailboxOriginSettings>,
    /// The method of an HTTP request, or the path of a gRPC method.
    pub method: Option<String>,
    /// Headers of an HTTP request, or metadata of a gRPC call.
    #[serde(default)]
    pub headers: BTreeMap<String, SecretSource>,
    /// The statuses that mean success.
    pub expected: Option<Vec<ExpectedStatus>>,
    /// Whether the body of an HTTP answer is the result, for work whose sender waits for one.
    pub body_is_result: Option<bool>,
    /// The processes of a worker.
    pub processes: Option<i64>,
    pub timeout_ms: Option<i64>,
    pub connect_timeout_ms: Option<i64>,
    pub ca_file: Option<PathBuf>,
    pub client_certificate_file: Option<PathBuf>,
    pub client_key_file: Option<PathBuf>,
    /// Maximum calls at the same time, of all users of the target.
    pub concurrency: Option<i64>,
    /// Maximum calls per second, of all users of the target.
    pub rate_per_second: Option<f64>,
    /// Maximum pieces of work in one request.
    pub batch_size: Option<i64>,
    /// How long a request waits for more work.
    pub batch_wait_ms: Option<i64>,
    /// The namespaces whose routes of the API may use the target.
    #[serde(default)]
    pub namespaces: Vec<String>,
}

impl TargetSettings {
    /// What the target is. Fails unless it is exactly one thing, and has only settings that apply to it.
    pub(super) fn kind(&self) -> Result<TargetKind, TargetError> {
        let kinds = [
            (TargetKind::Http, self.http.is_some()),
            (TargetKind::Grpc, self.grpc.is_some()),
            (TargetKind::Worker, self.worker.is_some()),
            (TargetKind::Origin, self.origin),
        ];
        let mut kinds = kinds.into_iter().filter(|(_, is_set)| *is_set).map(|(kind, _)| kind);
        let (Some(kind), None) = (kinds.next(), kinds.next()) else { return Err(TargetError::Kind) };
        for (setting, is_set, applicable) in self.specific() {
            if is_set && !applicable.contains(&kind) {
                return Err(TargetError::DoesNotApply { setting, kind, applicable });
            }
        }
        Ok(kind)
    }

    /// The settings that only some kinds have, whether they are set, and these kinds.
    fn specific(&self) -> [(&'static str, bool, &'static [TargetKind]); 13] {
        use TargetKind::{Grpc, Http, Origin, Worker};
        [
            ("method", self.method.is_some(), &[Http, Grpc]),
            ("headers", !self.headers.is_empty(), &[Http, Grpc]),
            ("connect_timeout_ms", self.connect_timeout_ms.is_some(), &[Http, Grpc]),
            ("ca_file", self.ca_file.is_some(), &[Http, Grpc]),
            ("client_certificate_file", self.client_certificate_file.is_some(), &[Http, Grpc]),
            ("client_key_file", self.client_key_file.is_some(), &[Http, Grpc]),
            ("processes", self.processes.is_some(), &[Worker]),
            ("expected", self.expected.is_some(), &[Http]),
            ("body_is_result", self.body_is_result.is_some(), &[Http]),
            ("batch_size", self.batch_size.is_some(), &[Http]),
            ("batch_wait_ms", self.batch_wait_ms.is_some(), &[Http]),
            ("kafka", self.kafka.is_some(), &[Origin]),
            ("mailbox", self.mailbox.is_some(), &[Origin]),
        ]
    }
}

/// Without addresses, arguments and headers, which may be secrets.
impl fmt::Debug for TargetSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TargetSettings")
            .field("kind", &self.kind().ok())
            .field("headers", &self.headers.len())
            .field("timeout_ms", &self.timeout_ms)
            .field("concurrency", &self.concurrency)
            .field("rate_per_second", &self.rate_per_second)
            .finish_non_exhaustive()
    }
}
