//! Why a target cannot be used.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use redrive_core::Invalid;
use redrive_http::TlsIdentityError;
use redrive_run::WorkerError;

use super::kind::{TargetKind, any_of};

/// A wrong setting of a target, or a target that did not start. No text has the value of a header or of a secret.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error("a target needs exactly one of http, grpc, worker or origin = true")]
    Kind,
    #[error("{setting} does not apply to {} target; only {} target has it", .kind.with_article(), any_of(.applicable))]
    DoesNotApply { setting: &'static str, kind: TargetKind, applicable: &'static [TargetKind] },
    #[error("{setting} needs {needed}; set both, or remove {setting}")]
    Needs { setting: &'static str, needed: &'static str },
    #[error("{setting} excludes {other}; remove one of them")]
    Excludes { setting: &'static str, other: &'static str },
    #[error("{setting} is for https, and the address of the target is not; use an https address, or remove {setting}")]
    NotTls { setting: &'static str },
    #[error("a grpc target needs a method; set method = \"/package.Service/Method\"")]
    NoMethod,
    #[error("worker is empty; name a program and its arguments, as in worker = [\"python3\", \"worker.py\"]")]
    NoProgram,
    #[error("no such program: '{}'; name an executable file, or a program on the PATH", .0.display())]
    NoSuchProgram(PathBuf),
    #[error("{setting}: cannot read {}", .file.display())]
    Unreadable { setting: String, file: PathBuf, source: io::Error },
    #[error("{setting}: {} has more than {bytes_max} bytes", .file.display())]
    FileTooLong { setting: String, file: PathBuf, bytes_max: u64 },
    #[error("{setting}: {} is empty", .file.display())]
    EmptyFile { setting: String, file: PathBuf },
    #[error("{setting}: {} is not text in UTF-8", .file.display())]
    NotText { setting: String, file: PathBuf },
    #[error("{setting}: the environment variable {variable} is not set, or is empty")]
    NoVariable { setting: String, variable: String },
    #[error("ca_file: {} has no certificate in PEM", .0.display())]
    NoCertificates(PathBuf),
    #[error("client_certificate_file and client_key_file cannot be used")]
    ClientCertificate(#[source] TlsIdentityError),
    #[error(transparent)]
    Invalid(#[from] Invalid),
    #[error(transparent)]
    Worker(#[from] WorkerError),
    #[error("{setting} is missing; allowed: the name of a [{section}.NAME] section")]
    Unnamed { setting: &'static str, section: &'static str },
    #[error("{setting} '{name}' is not defined; {}", defined(.section, .known))]
    Undefined { setting: &'static str, section: &'static str, name: String, known: Vec<String> },
    #[error("the cluster '{name}' cannot be used")]
    Cluster { name: String, source: Box<TargetError> },
    #[error("properties.{0} is rejected by the Kafka client; correct its name or its value")]
    KafkaProperty(String),
    #[error("the Kafka producer does not start")]
    Kafka(#[source] Box<dyn Error + Send + Sync>),
    #[error("redis.{0}: {1}")]
    Redis(String, Box<Self>),
    #[error(transparent)]
    RedisSettings(Box<dyn Error + Send + Sync>),
    /// An adapter that this build does not have.
    #[error("{0}")]
    LeftOut(String),
}

fn defined(section: &str, names: &[String]) -> String {
    if names.is_empty() {
        format!("write a [{section}.NAME] section")
    } else {
        format!("defined: {}", names.join(", "))
    }
}
