//! The messages of Redrive's API, in protobuf and in JSON.
//!
//! The messages are defined once, in `proto/`. The Rust types, their protobuf encoding, their JSON encoding (protobuf's
//! JSON mapping; an unknown field is an error) and the API description `docs/openapi.json` are generated from there.
//! The generated files are checked in, so a build needs no protobuf compiler. A test of `redrive-generate` fails when
//! they are out of date; `cargo xtask generate` updates them.
//!
//! This crate contains messages, and their conversions that server and client share. Validation and the behaviour of
//! the calls are in `redrive-server`.
//!
//! ```
//! use redrive_proto::prost::Message;
//! use redrive_proto::querator::QueueCompleteRequest;
//!
//! let request = QueueCompleteRequest { queue_name: "orders".to_owned(), partition: 3, ..Default::default() };
//! assert_eq!(QueueCompleteRequest::decode(&*request.encode_to_vec()).unwrap(), request);
//! assert_eq!(serde_json::to_string(&request).unwrap(), r#"{"queue_name":"orders","partition":3}"#);
//! ```
//!
//! # Invariants
//!
//! - A service of `proto/` is a noun and its methods are verbs: `Queue.Produce` is `POST /v1/queue.produce`.
//! - `proto/store`, the records of the embedded store, is not part of this crate: it is the documentation of an
//!   encoding that `redrive-model` and `redrive-queue` implement.

mod fault;
mod json_value;
mod letter_parts;
mod letter_stats;
mod number;
mod queue_info;
mod timestamp;

pub use json_value::JsonValue;
pub use letter_stats::letter_stats;
pub use prost;
pub use timestamp::Timestamp;

/// The reply of calls without a response message, and of every error.
pub mod duh {
    pub mod v1 {
        #![allow(clippy::all, clippy::pedantic, reason = "generated")]
        include!("generated/duh.v1.rs");
        include!("generated/duh.v1.serde.rs");
    }
}

/// The messages of the Querator API.
pub mod querator {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!("generated/querator.rs");
    include!("generated/querator.serde.rs");
}

/// The messages of the calls that Redrive adds to the Querator API.
pub mod redrive {
    pub mod v1 {
        #![allow(clippy::all, clippy::pedantic, reason = "generated")]
        include!("generated/redrive.v1.rs");
        include!("generated/redrive.v1.serde.rs");
    }
}

/// The OpenAPI document of the whole API, as served under `/openapi.json`.
pub const OPENAPI: &str = include_str!("../../../docs/openapi.json");
