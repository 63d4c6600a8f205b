//! Operating system errors.
//!
//! A separate set beside [`std::io::ErrorKind`], because worker processes and other machines send evidence by name, and
//! because all kinds that are irrelevant for retries are one member here.

use std::io::ErrorKind;

use crate::closed_set::closed_set;

closed_set! {
    /// The kind of an operating system error, with the names of [`std::io::ErrorKind`].
    pub enum IoKind ("io kind") {
        WouldBlock = "WouldBlock",
        Interrupted = "Interrupted",
        ResourceBusy = "ResourceBusy",
        ExecutableFileBusy = "ExecutableFileBusy",
        Deadlock = "Deadlock",
        ConnectionRefused = "ConnectionRefused",
        ConnectionReset = "ConnectionReset",
        ConnectionAborted = "ConnectionAborted",
        NotConnected = "NotConnected",
        BrokenPipe = "BrokenPipe",
        TimedOut = "TimedOut",
        HostUnreachable = "HostUnreachable",
        NetworkUnreachable = "NetworkUnreachable",
        NetworkDown = "NetworkDown",
        AddrNotAvailable = "AddrNotAvailable",
        UnexpectedEof = "UnexpectedEof",
        StaleNetworkFileHandle = "StaleNetworkFileHandle",
        OutOfMemory = "OutOfMemory",
        StorageFull = "StorageFull",
        QuotaExceeded = "QuotaExceeded",
        FileTooLarge = "FileTooLarge",
        PermissionDenied = "PermissionDenied",
        ReadOnlyFilesystem = "ReadOnlyFilesystem",
        InvalidInput = "InvalidInput",
        InvalidData = "InvalidData",
        InvalidFilename = "InvalidFilename",
        ArgumentListTooLong = "ArgumentListTooLong",
        NotFound = "NotFound",
        AlreadyExists = "AlreadyExists",
        Unsupported = "Unsupported",
        /// Everything else: irrelevant for retries.
        Other = "Other",
    }
}

impl IoKind {
    /// The dotted path that error lists match.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::WouldBlock => "busy",
            Self::Interrupted => "interrupted",
            Self::ResourceBusy => "busy.resource",
            Self::ExecutableFileBusy => "busy.executable",
            Self::Deadlock => "deadlock",
            Self::ConnectionRefused => "connection.refused",
            Self::ConnectionReset => "connection.reset",
            Self::ConnectionAborted => "connection.aborted",
            Self::NotConnected => "connection.closed",
            Self::BrokenPipe => "connection.broken_pipe",
            Self::TimedOut => "timeout",
            Self::HostUnreachable => "connection.host_unreachable",
            Self::NetworkUnreachable => "connection.network_unreachable",
            Self::NetworkDown => "connection.network_down",
            Self::AddrNotAvailable => "connection.address",
            Self::UnexpectedEof => "connection.eof",
            Self::StaleNetworkFileHandle => "connection.stale_handle",
            Self::OutOfMemory => "memory",
            Self::StorageFull => "storage.full",
            Self::QuotaExceeded => "quota",
            Self::FileTooLarge => "storage.file_too_large",
            Self::PermissionDenied => "permission",
            Self::ReadOnlyFilesystem => "permission.read_only",
            Self::InvalidInput => "validation",
            Self::InvalidData => "validation.data",
            Self::InvalidFilename => "validation.filename",
            Self::ArgumentListTooLong => "validation.arguments",
            Self::NotFound => "not_found",
            Self::AlreadyExists => "already_exists",
            Self::Unsupported => "unsupported",
            Self::Other => "io",
        }
    }
}

impl From<ErrorKind> for IoKind {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::WouldBlock => Self::WouldBlock,
            ErrorKind::Interrupted => Self::Interrupted,
            ErrorKind::ResourceBusy => Self::ResourceBusy,
            ErrorKind::ExecutableFileBusy => Self::ExecutableFileBusy,
            ErrorKind::Deadlock => Self::Deadlock,
            ErrorKind::ConnectionRefused => Self::ConnectionRefused,
            ErrorKind::ConnectionReset => Self::ConnectionReset,
            ErrorKind::ConnectionAborted => Self::ConnectionAborted,
            ErrorKind::NotConnected => Self::NotConnected,
            ErrorKind::BrokenPipe => Self::BrokenPipe,
            ErrorKind::TimedOut => Self::TimedOut,
            ErrorKind::HostUnreachable => Self::HostUnreachable,
            ErrorKind::NetworkUnreachable => Self::NetworkUnreachable,
            ErrorKind::NetworkDown => Self::NetworkDown,
            ErrorKind::AddrNotAvailable => Self::AddrNotAvailable,
            ErrorKind::UnexpectedEof => Self::UnexpectedEof,
            ErrorKind::StaleNetworkFileHandle => Self::StaleNetworkFileHandle,
            ErrorKind::OutOfMemory => Self::OutOfMemory,
            ErrorKind::StorageFull => Self::StorageFull,
            ErrorKind::QuotaExceeded => Self::QuotaExceeded,
            ErrorKind::FileTooLarge => Self::FileTooLarge,
            ErrorKind::PermissionDenied => Self::PermissionDenied,
            ErrorKind::ReadOnlyFilesystem => Self::ReadOnlyFilesystem,
            ErrorKind::InvalidInput => Self::InvalidInput,
            ErrorKind::InvalidData => Self::InvalidData,
            ErrorKind::InvalidFilename => Self::InvalidFilename,
            ErrorKind::ArgumentListTooLong => Self::ArgumentListTooLong,
            ErrorKind::NotFound => Self::NotFound,
            ErrorKind::AlreadyExists => Self::AlreadyExists,
            ErrorKind::Unsupported => Self::Unsupported,
            _ => Self::Other,
        }
    }
}
