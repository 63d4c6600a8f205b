//! A store behind a door that a test can close: it refuses, loses answers, and counts what goes through.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use redrive_embedded::EmbeddedStore;
use redrive_model::KeyWrite;
use redrive_store::{Reply, Request, Store, StoreError};

/// What becomes of a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    Pass,
    Refuse(StoreError),
    /// It is done, and the answer is lost.
    Lose(StoreError),
    /// It is never answered, and never done.
    Hang,
}

type Rule = Box<dyn FnMut(&Request) -> Act + Send>;

pub(crate) struct Double {
    pub(crate) local: EmbeddedStore,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    rule: Option<Rule>,
    counts: BTreeMap<&'static str, u64>,
    /// Requests that wait for their answer, apart from claims: those may wait for ever.
    on_their_way: usize,
}

impl Double {
    pub(crate) fn new(local: EmbeddedStore) -> Self {
        Self { local, inner: Mutex::default() }
    }

    /// From now on this decides about every request.
    pub(crate) fn rule(&self, rule: impl FnMut(&Request) -> Act + Send + 'static) {
        self.inner().rule = Some(Box::new(rule));
    }

    /// Lets everything through again.
    pub(crate) fn open(&self) {
        self.inner().rule = None;
    }

    /// How many requests of a kind came by.
    pub(crate) fn count(&self, kind: &'static str) -> u64 {
        self.inner().counts.get(kind).copied().unwrap_or(0)
    }

    pub(crate) fn total(&self) -> u64 {
        self.inner().counts.values().sum()
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.inner().on_their_way > 0
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Double")
    }
}

#[async_trait]
impl Store for Double {
    async fn submit(&self, request: Request, along: Vec<KeyWrite>) -> Result<Reply, StoreError> {
        let act = {
            let mut inner = self.inner();
            *inner.counts.entry(kind_of(&request)).or_default() += 1;
            inner.rule.as_mut().map_or(Act::Pass, |rule| rule(&request))
        };
        let _on_its_way = OnItsWay::new(self, &request, &act);
        match act {
            Act::Pass => self.local.submit(request, along).await,
            Act::Refuse(error) => Err(error),
            Act::Lose(error) => {
                self.local.submit(request, along).await?;
                Err(error)
            }
            Act::Hang => std::future::pending().await,
        }
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.local.close().await
    }

    fn is_durable(&self) -> bool {
        self.local.is_durable()
    }
}

/// A request, until it is answered or nobody waits for it.
struct OnItsWay<'d>(Option<&'d Double>);

impl<'d> OnItsWay<'d> {
    fn new(double: &'d Double, request: &Request, act: &Act) -> Self {
        let is_counted = kind_of(request) != "claim" && !matches!(act, Act::Hang);
        double.inner().on_their_way += usize::from(is_counted);
        Self(is_counted.then_some(double))
    }
}

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        if let Some(double) = self.0 {
            double.inner().on_their_way -= 1;
        }
    }
}

/// What kind of request it is, as far as a test cares.
pub(crate) fn kind_of(request: &Request) -> &'static str {
    match request {
        Request::Lease(_) | Request::ClaimDue(_) => "claim",
        Request::Settle(_) => "settle",
        Request::Extend(_) => "extend",
        Request::Capture(_) => "capture",
        Request::GetLetter(_) => "letter",
        Request::GetQueue(_) => "queue",
        _ => "other",
    }
}
