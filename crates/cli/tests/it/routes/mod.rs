//! Routes, as far as they need no Kafka: wrong settings, and namespaces against each other.

mod namespaces;
mod wrong_settings;
