//! The check of the settings.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use redrive_core::{Invalid, Span};
#[cfg(feature = "grpc")]
use redrive_run::{GrpcSettings, GrpcTarget};
use redrive_run::{HttpSettings, HttpTarget, WorkerCommand, WorkerPool};
use redrive_store::Clock;

use super::batches::{BatchHandler, BatchSettings};
use super::limits::Limits;
use super::started::{Service, StartedTarget};
use super::{CheckedHandBack, OriginConnections, TargetError, TargetKind, TargetSettings, certificates, program};

/// A target that was checked, and is not started yet.
#[derive(Debug)]
pub struct CheckedTarget {
    service: CheckedService,
    limits: Option<Limits>,
    timeout: Option<Span>,
}

#[derive(Debug)]
enum CheckedService {
    Http(Box<HttpTarget>, Option<BatchSettings>),
    #[cfg(feature = "grpc")]
    Grpc(Box<GrpcTarget>),
    Worker(WorkerCommand),
    /// The transports besides queues.
    Origin(Vec<CheckedHandBack>),
}

impl TargetSettings {
    const TIMEOUT_MS: RangeInclusive<i64> = 1..=86_400_000;
    const CONNECT_TIMEOUT_MS: RangeInclusive<i64> = 1..=600_000;
    const CONCURRENCY: RangeInclusive<i64> = 1..=65_536;
    const BATCH_SIZE: RangeInclusive<i64> = 1..=1000;
    const BATCH_WAIT_MS: RangeInclusive<i64> = 1..=60_000;
    const BATCH_WAIT_DEFAULT: Span = Span::from_millis(10);
    const RATE_PER_SECOND: RangeInclusive<f64> = 0.001..=100_000.0;

    /// Reads the files that the settings name, and checks everything without calling or starting the target. An origin
    /// may refer to one of the connections.
    ///
    /// # Errors
    ///
    /// The first wrong setting, in one sentence.
    pub fn check(&self, connections: OriginConnections<'_>) -> Result<CheckedTarget, TargetError> {
        let kind = self.kind()?;
        let timeout = millis("timeout_ms", self.timeout_ms, Self::TIMEOUT_MS)?;
        let limits = Limits::new(count("concurrency", self.concurrency, Self::CONCURRENCY)?, self.rate()?);
        let service = match kind {
            TargetKind::Http => CheckedService::Http(Box::new(self.http_target()?), self.batch()?),
            #[cfg(feature = "grpc")]
            TargetKind::Grpc => CheckedService::Grpc(Box::new(self.grpc_target()?)),
            #[cfg(not(feature = "grpc"))]
            TargetKind::Grpc => return Err(TargetError::LeftOut(crate::missing_feature::reason("grpc"))),
            TargetKind::Worker => CheckedService::Worker(self.worker_command()?),
            TargetKind::Origin => {
                let kafka = self.kafka.as_ref().map(|kafka| kafka.checked(connections)).transpose()?;
                let mailboxes = self.mailbox.as_ref().map(|mailbox| mailbox.checked(connections)).transpose()?;
                CheckedService::Origin(kafka.into_iter().chain(mailboxes).collect())
            }
        };
        Ok(CheckedTarget { service, limits, timeout })
    }

    fn rate(&self) -> Result<Option<f64>, Invalid> {
        let rate = self.rate_per_second;
        rate.map(|rate| Invalid::unless_within("rate_per_second", rate, Self::RATE_PER_SECOND)).transpose()
    }

    fn batch(&self) -> Result<Option<BatchSettings>, TargetError> {
        let size = count("batch_size", self.batch_size, Self::BATCH_SIZE)?;
        let wait = millis("batch_wait_ms", self.batch_wait_ms, Self::BATCH_WAIT_MS)?;
        match (size, wait) {
            (None, Some(_)) => Err(TargetError::Needs { setting: "batch_wait_ms", needed: "batch_size" }),
            (None, None) => Ok(None),
            (Some(size), wait) => {
                Ok(Some(BatchSettings { size, wait: wait.unwrap_or(Self::BATCH_WAIT_DEFAULT).into() }))
            }
        }
    }

    fn http_target(&self) -> Result<HttpTarget, TargetError> {
        let mut settings = HttpSettings::new(self.http.as_deref().unwrap_or_default());
        settings.tls = certificates::read(self, &settings.url)?;
        if let Some(method) = &self.method {
            settings.method.clone_from(method);
        }
        if let Some(expected) = &self.expected {
            settings.expected.clone_from(expected);
        }
        settings.body_is_result = self.body_is_result == Some(true);
        if settings.body_is_result && self.batch_size.is_some() {
            return Err(TargetError::Excludes { setting: "body_is_result", other: "batch_size" });
        }
        if let Some(timeout) = self.connect_timeout()? {
            settings.connect_timeout = timeout;
        }
        for (name, source) in &self.headers {
            settings.headers.push((name.clone(), source.value("headers", name)?));
        }
        HttpTarget::new(&settings).map_err(as_written)
    }

    #[cfg(feature = "grpc")]
    fn grpc_target(&self) -> Result<GrpcTarget, TargetError> {
        let method = self.method.as_deref().ok_or(TargetError::NoMethod)?;
        let mut settings = GrpcSettings::new(self.grpc.as_deref().unwrap_or_default(), method);
        settings.tls = certificates::read(self, &settings.endpoint)?;
        if let Some(timeout) = self.connect_timeout()? {
            settings.connect_timeout = timeout;
        }
        for (name, source) in &self.headers {
            settings.metadata.push((name.clone(), source.value("headers", name)?));
        }
        GrpcTarget::new(&settings).map_err(as_written)
    }

    fn connect_timeout(&self) -> Result<Option<Span>, Invalid> {
        millis("connect_timeout_ms", self.connect_timeout_ms, Self::CONNECT_TIMEOUT_MS)
    }

    fn worker_command(&self) -> Result<WorkerCommand, TargetError> {
        let command = self.worker.as_deref().unwrap_or_default();
        let (name, arguments) = command.split_first().ok_or(TargetError::NoProgram)?;
        let mut command = WorkerCommand::new(PathBuf::from(name), arguments.iter().map(String::as_str));
        let allowed = 1..=i64::try_from(WorkerCommand::PROCESSES_MAX).unwrap_or(i64::MAX);
        if let Some(processes) = count("processes", self.processes, allowed)? {
            command.processes = processes;
        }
        command.check()?;
        program::check(&command.program)?;
        Ok(command)
    }
}

/// The error with the name that the setting has in the file.
fn as_written(invalid: Invalid) -> TargetError {
    let field = match invalid.field.as_str() {
        "url" => "http".to_owned(),
        "endpoint" => "grpc".to_owned(),
        field => field.replacen("metadata", "headers", 1),
    };
    TargetError::Invalid(invalid.at(field))
}

fn millis(field: &str, value: Option<i64>, allowed: RangeInclusive<i64>) -> Result<Option<Span>, Invalid> {
    Ok(within(field, value, allowed)?.map(|value| Span::from_millis(value.unsigned_abs())))
}

fn count(field: &str, value: Option<i64>, allowed: RangeInclusive<i64>) -> Result<Option<usize>, Invalid> {
    Ok(within(field, value, allowed)?.and_then(|value| usize::try_from(value).ok()))
}

fn within(field: &str, value: Option<i64>, allowed: RangeInclusive<i64>) -> Result<Option<i64>, Invalid> {
    value.map(|value| Invalid::unless_within(field, value, allowed)).transpose()
}

impl CheckedTarget {
    /// Starts the target: the workers of one that has them, and the Kafka producer of an origin. Other kinds are first
    /// called by their users.
    ///
    /// # Errors
    ///
    /// When a worker or the producer does not start.
    pub fn start<'f>(self, clock: &'f Arc<dyn Clock>) -> BoxFuture<'f, Result<StartedTarget, TargetError>> {
        Box::pin(async move {
            let Self { service, mut limits, timeout } = self;
            let service = match service {
                CheckedService::Http(target, None) => Service::Called(Arc::new(target.with_clock(Arc::clone(clock)))),
                CheckedService::Http(target, Some(batch)) => {
                    let target = target.with_clock(Arc::clone(clock));
                    // They count requests, not calls.
                    Service::Called(Arc::new(BatchHandler::new(target, batch, limits.take())))
                }
                #[cfg(feature = "grpc")]
                CheckedService::Grpc(target) => Service::Called(Arc::new(target.with_clock(Arc::clone(clock)))),
                CheckedService::Worker(command) => {
                    Service::Workers(WorkerPool::start(command).await?.with_clock(Arc::clone(clock)))
                }
                CheckedService::Origin(transports) => {
                    Service::Origin(transports.into_iter().map(CheckedHandBack::open).collect::<Result<_, _>>()?)
                }
            };
            Ok(StartedTarget { service, limits: limits.map(Arc::new), timeout })
        })
    }
}
