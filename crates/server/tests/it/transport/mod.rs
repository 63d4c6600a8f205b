//! How requests come and answers go, before any call is looked at.

mod bodies;
mod connections;
mod forms;
mod limits;
mod order;
mod patience;
mod strangers;
mod texts;
