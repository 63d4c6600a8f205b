//! Options that describe a failure.

use redrive_client::proto::redrive::v1::Fault;
use redrive_core::{Evidence, Failure, GrpcCode, IoKind, Kind, Span, SqlState};

use super::metadata::MetadataOptions;
use crate::values::{parse_duration, within};

/// The error without its message. Shared by all commands that take a failure.
#[derive(Debug, clap::Args)]
pub(crate) struct FaultOptions {
    /// Error type, as in connection.reset or TimeoutError.
    #[arg(long = "type", value_name = "NAME")]
    kind: Option<Kind>,
    /// Error code of the system that raised the error.
    #[arg(long)]
    code: Option<String>,
    /// Message of a cause of the error. Repeatable, outermost cause first.
    #[arg(long, value_name = "TEXT")]
    cause: Vec<String>,
    /// HTTP status of the response, 100 to 599.
    #[arg(long, value_name = "STATUS", group = "evidence", value_parser = within(100..=599_u16))]
    http: Option<u16>,
    /// A header of the response reports a rate limit.
    #[arg(long, requires = "http")]
    rate_limited: bool,
    /// gRPC status: a number from 1 to 16, or a name as in unavailable.
    #[arg(long, value_name = "STATUS", group = "evidence", value_parser = parse_grpc)]
    grpc: Option<GrpcCode>,
    /// I/O error kind, as in ConnectionReset or TimedOut.
    #[arg(long, value_name = "KIND", group = "evidence")]
    io: Option<IoKind>,
    /// SQLSTATE of a database error, as in 40P01.
    #[arg(long, value_name = "STATE", group = "evidence")]
    sqlstate: Option<SqlState>,
    /// Delay that the destination requested, as in 30s.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    retry_after: Option<Span>,
}

/// A failure without its message.
#[derive(clap::Args)]
pub(crate) struct FailureOptions {
    #[command(flatten)]
    fault: FaultOptions,
    /// Failed part of the work. Repeatable.
    #[arg(long, value_name = "NAME")]
    part: Vec<String>,
    #[command(flatten)]
    metadata: MetadataOptions,
}

fn parse_grpc(text: &str) -> Result<GrpcCode, String> {
    let by_number = text.parse().ok().and_then(GrpcCode::from_number);
    by_number.or_else(|| text.parse().ok()).ok_or_else(|| "allowed: 1 to 16, or a name as in unavailable".to_owned())
}

impl FaultOptions {
    fn evidence(&self) -> Option<Evidence> {
        None.or_else(|| self.http.map(|status| Evidence::Http { status, rate_limited: self.rate_limited }))
            .or_else(|| self.grpc.map(Evidence::Grpc))
            .or_else(|| self.io.map(Evidence::Io))
            .or_else(|| self.sqlstate.map(Evidence::Sql))
    }

    fn failure(&self, message: String) -> Failure {
        let mut failure = Failure::new(message);
        failure.error.kind.clone_from(&self.kind);
        failure.error.code.clone_from(&self.code);
        failure.error.evidence = self.evidence();
        failure.retry_after = self.retry_after;
        self.cause.iter().fold(failure, |failure, cause| failure.caused_by(Failure::new(cause)))
    }

    /// The failure as a message to the server.
    pub(crate) fn fault(&self, message: String) -> Fault {
        Fault::from(&self.failure(message))
    }
}

impl FailureOptions {
    /// Whether the options describe an error, even without a message.
    pub(crate) fn has_error(&self) -> bool {
        let FaultOptions { kind, code, cause, .. } = &self.fault;
        kind.is_some() || code.is_some() || self.fault.evidence().is_some() || !cause.is_empty()
    }

    /// The failure as a message to the server, without parts and metadata.
    pub(crate) fn fault(&self, message: String) -> Fault {
        self.fault.fault(message)
    }

    pub(crate) fn failure(&self, message: String) -> Failure {
        Failure { parts: self.part.clone(), metadata: self.metadata.metadata(), ..self.fault.failure(message) }
    }
}
