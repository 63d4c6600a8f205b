//! A method for every call of the API, by its noun.

mod letters;
mod pages;
mod queue;
mod queues;
mod storage;
mod tenancy;
