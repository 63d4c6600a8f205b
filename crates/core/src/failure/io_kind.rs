//! Operating system errors.
//!
//! A separate set beside [`std::io::ErrorKind`], because worker processes and other machines send evidence by name, and
//! because all kinds that are irrelevant for retries are one member here.

use std::io::ErrorKind;

use crate::closed_set::closed_set;

/// Defines [`IoKind`]: each row is a kind of [`ErrorKind`] with its path.
macro_rules! io_kinds {
    ($( $Kind:ident: $path:literal; )+) => {
        closed_set! {
            /// The kind of an operating system error, with the names of [`std::io::ErrorKind`].
            pub enum IoKind ("io kind") {
                $( $Kind = stringify!($Kind), )+
                /// Everything else: irrelevant for retries.
                Other = "Other",
            }
        }

        impl IoKind {
            /// The dotted path that error lists match.
            pub(crate) const fn path(self) -> &'static str {
                match self {
                    $( Self::$Kind => $path, )+
                    Self::Other => "io",
                }
            }
        }

        impl From<ErrorKind> for IoKind {
            fn from(kind: ErrorKind) -> Self {
                match kind {
                    $( ErrorKind::$Kind => Self::$Kind, )+
                    _ => Self::Other,
                }
            }
        }
    };
}

io_kinds! {
    WouldBlock: "busy";
    Interrupted: "interrupted";
    ResourceBusy: "busy.resource";
    ExecutableFileBusy: "busy.executable";
    Deadlock: "deadlock";
    ConnectionRefused: "connection.refused";
    ConnectionReset: "connection.reset";
    ConnectionAborted: "connection.aborted";
    NotConnected: "connection.closed";
    BrokenPipe: "connection.broken_pipe";
    TimedOut: "timeout";
    HostUnreachable: "connection.host_unreachable";
    NetworkUnreachable: "connection.network_unreachable";
    NetworkDown: "connection.network_down";
    AddrNotAvailable: "connection.address";
    UnexpectedEof: "connection.eof";
    StaleNetworkFileHandle: "connection.stale_handle";
    OutOfMemory: "memory";
    StorageFull: "storage.full";
    QuotaExceeded: "quota";
    FileTooLarge: "storage.file_too_large";
    PermissionDenied: "permission";
    ReadOnlyFilesystem: "permission.read_only";
    InvalidInput: "validation";
    InvalidData: "validation.data";
    InvalidFilename: "validation.filename";
    ArgumentListTooLong: "validation.arguments";
    NotFound: "not_found";
    AlreadyExists: "already_exists";
    Unsupported: "unsupported";
}
