//! Conversion of failures into the `Fault` message that clients send to a server.

use redrive_core::{Evidence, Failure, Link};

use crate::redrive::v1::{Fault, FaultCause};

/// Copies the error, its causes and all evidence that the message has a field for. The category is left empty: the server
/// classifies the fault and gets the same result as the sender would.
///
/// Calls rejected by a circuit breaker of the sender, superclasses and stack traces are not sent.
impl From<&Failure> for Fault {
    fn from(failure: &Failure) -> Self {
        let FaultCause { error, error_type, code, http_status, grpc_status, io_kind, sqlstate, rate_limited } =
            FaultCause::from(&failure.error);
        Self {
            error,
            error_type,
            http_status,
            grpc_status,
            sqlstate,
            category: String::new(),
            code,
            io_kind,
            causes: failure.causes.iter().take(Failure::CAUSES_MAX).map(FaultCause::from).collect(),
            retry_after: failure.retry_after.map(|wait| wait.to_string()).unwrap_or_default(),
            rate_limited,
        }
    }
}

impl From<&Link> for FaultCause {
    fn from(link: &Link) -> Self {
        let mut cause = Self {
            error: link.message.clone(),
            error_type: link.kind.as_ref().map(ToString::to_string).unwrap_or_default(),
            code: link.code.clone().unwrap_or_default(),
            ..Self::default()
        };
        match link.evidence {
            Some(Evidence::Http { status, rate_limited }) => {
                (cause.http_status, cause.rate_limited) = (Some(i32::from(status)), rate_limited);
            }
            Some(Evidence::Grpc(code)) => cause.grpc_status = Some(i32::from(code.number())),
            Some(Evidence::Io(kind)) => cause.io_kind = kind.to_string(),
            Some(Evidence::Sql(state)) => cause.sqlstate = state.to_string(),
            Some(Evidence::Refused { .. }) | None => {}
        }
        cause
    }
}

#[cfg(test)]
mod tests {
    use redrive_core::{Evidence, Failure, GrpcCode, IoKind, Span};

    use crate::redrive::v1::{Fault, FaultCause};

    #[test]
    fn a_failure_is_sent_with_its_causes_and_all_evidence() {
        let mut failure = Failure::new("no order").with_evidence(Evidence::Http { status: 403, rate_limited: true });
        failure.error.kind = "OrderError".parse().ok();
        failure.error.code = Some("NO_ORDER".to_owned());
        let failure = failure
            .with_retry_after(Span::from_secs(90))
            .caused_by(Failure::typed(Evidence::Grpc(GrpcCode::Unavailable)))
            .caused_by(Failure::new("reset").with_evidence(Evidence::Io(IoKind::ConnectionReset)))
            .caused_by(Failure::typed(Evidence::Sql("40P01".parse().unwrap())));
        let cause = FaultCause::default();
        assert_eq!(
            Fault::from(&failure),
            Fault {
                error: "no order".to_owned(),
                error_type: "OrderError".to_owned(),
                http_status: Some(403),
                code: "NO_ORDER".to_owned(),
                causes: vec![
                    FaultCause { grpc_status: Some(14), ..cause.clone() },
                    FaultCause { error: "reset".to_owned(), io_kind: "ConnectionReset".to_owned(), ..cause.clone() },
                    FaultCause { sqlstate: "40P01".to_owned(), ..cause },
                ],
                retry_after: "1m30s".to_owned(),
                rate_limited: true,
                ..Fault::default()
            }
        );
    }
}
