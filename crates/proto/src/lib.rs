//! The messages on Redrive's wire.
//!
//! They are defined once, in `proto/`. From there come the types, their protobuf form and their JSON form (protobuf's
//! own, strict: a field that nobody knows is an error), and the description of the API in `docs/openapi.json`. What is
//! generated is checked in, so that a build needs no compiler of protobuf; a test says when it is out of date, and
//! `cargo xtask generate` brings it up to date.
//!
//! It is not the API: what a call checks, does and answers is the server's.
//!
//! ```
//! use redrive_proto::prost::Message;
//! use redrive_proto::querator::QueueCompleteRequest;
//!
//! let request = QueueCompleteRequest { queue_name: "orders".to_owned(), partition: 3, ..Default::default() };
//! assert_eq!(QueueCompleteRequest::decode(&*request.encode_to_vec()).unwrap(), request);
//! assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"queue_name":"orders","partition":3}"#);
//! ```

mod letter_stats;
mod number;
mod timestamp;

pub use letter_stats::letter_stats;
pub use prost;
pub use timestamp::Timestamp;

/// What calls without a payload answer, and every error.
pub mod duh {
    pub mod v1 {
        #![allow(clippy::all, clippy::pedantic, reason = "generated")]
        include!("generated/duh.v1.rs");
        include!("generated/duh.v1.serde.rs");
    }
}

/// The calls that other servers know, too.
pub mod querator {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!("generated/querator.rs");
    include!("generated/querator.serde.rs");
}

/// Redrive's own calls.
pub mod redrive {
    pub mod v1 {
        #![allow(clippy::all, clippy::pedantic, reason = "generated")]
        include!("generated/redrive.v1.rs");
        include!("generated/redrive.v1.serde.rs");
    }
}

/// The description of the whole API, as it is served.
pub const OPENAPI: &str = include_str!("../../../docs/openapi.json");
