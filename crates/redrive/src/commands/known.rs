//! What is known of a failure, as it is told at the command line.

use redrive_client::proto::redrive::v1::Fault;
use redrive_core::{Evidence, Failure, GrpcCode, IoKind, Kind, SqlState};

/// What is known of a failure besides its message.
#[derive(clap::Args)]
pub(crate) struct Known {
    /// The error's type: connection.reset, TimeoutError.
    #[arg(long = "type")]
    kind: Option<Kind>,
    /// The error code of the system that raised it.
    #[arg(long)]
    code: Option<String>,
    /// What caused it, outermost first; may be given again.
    #[arg(long)]
    cause: Vec<String>,
    /// The status of an HTTP answer.
    #[arg(long, group = "evidence", value_parser = clap::value_parser!(u16).range(100..=599))]
    http: Option<u16>,
    /// The number of a gRPC status.
    #[arg(long, group = "evidence", value_parser = parse_grpc)]
    grpc: Option<GrpcCode>,
    /// What the operating system said: ConnectionReset, TimedOut.
    #[arg(long, group = "evidence")]
    io: Option<IoKind>,
    /// The error code of an SQL database.
    #[arg(long, group = "evidence")]
    sqlstate: Option<SqlState>,
    /// A piece of the work that failed; may be given again.
    #[arg(long)]
    part: Vec<String>,
    /// What else is known, as key=value; may be given again.
    #[arg(long, value_parser = parse_pair)]
    metadata: Vec<(String, String)>,
}

pub(super) fn parse_grpc(text: &str) -> Result<GrpcCode, String> {
    let by_number = text.parse().ok().and_then(GrpcCode::from_number);
    by_number.or_else(|| text.parse().ok()).ok_or_else(|| "1 to 16, or a name like unavailable".to_owned())
}

pub(super) fn parse_pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("key=value is needed")?;
    Ok((key.to_owned(), value.to_owned()))
}

impl Known {
    /// Whether there is a failure without a message, too.
    pub(crate) fn says_something(&self) -> bool {
        self.kind.is_some() || self.code.is_some() || self.evidence().is_some() || !self.cause.is_empty()
    }

    pub(crate) fn evidence(&self) -> Option<Evidence> {
        None.or_else(|| self.http.map(Evidence::http))
            .or_else(|| self.grpc.map(Evidence::Grpc))
            .or_else(|| self.io.map(Evidence::Io))
            .or_else(|| self.sqlstate.map(Evidence::Sql))
    }

    /// As far as a server can be told.
    pub(crate) fn fault(&self, message: String) -> Fault {
        Fault {
            error: message,
            error_type: self.kind.as_ref().map(ToString::to_string).unwrap_or_default(),
            http_status: self.http.map(i32::from),
            grpc_status: self.grpc.map(|code| i32::from(code.number())),
            sqlstate: self.sqlstate.map(|state| state.to_string()).unwrap_or_default(),
            category: String::new(),
        }
    }

    pub(crate) fn failure(&self, message: String) -> Failure {
        let mut failure = Failure::new(message);
        failure.error.kind.clone_from(&self.kind);
        failure.error.code.clone_from(&self.code);
        failure.error.evidence = self.evidence();
        failure.parts.clone_from(&self.part);
        failure.metadata = self.metadata.iter().cloned().collect();
        self.cause.iter().fold(failure, |failure, cause| failure.caused_by(Failure::new(cause)))
    }
}
