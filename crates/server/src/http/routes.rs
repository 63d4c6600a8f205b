//! The list of all calls.

use std::collections::HashMap;

use super::endpoint::Endpoint;
use super::route::Route;
use crate::settings::Settings;

/// The routes of all calls, by path.
#[derive(Debug)]
pub(crate) struct Routes {
    by_path: HashMap<&'static str, Route>,
}

impl Routes {
    pub(crate) fn find(&self, path: &str) -> Option<&Route> {
        self.by_path.get(path)
    }

    /// The paths of all calls, in the order of their numbers.
    pub(crate) fn paths(&self) -> Vec<&'static str> {
        let mut routes: Vec<&Route> = self.by_path.values().collect();
        routes.sort_by_key(|route| route.number);
        routes.into_iter().map(|route| route.path).collect()
    }

    fn add<E: Endpoint>(&mut self, settings: &Settings) {
        let number = self.by_path.len();
        self.by_path.insert(E::PATH, Route::of::<E>(number, settings));
    }
}

macro_rules! routes {
    ($($Endpoint:path,)*) => {
        impl Routes {
            pub(crate) fn new(settings: &Settings) -> Self {
                let mut routes = Self { by_path: HashMap::new() };
                $(routes.add::<$Endpoint>(settings);)*
                routes
            }
        }
    };
}

routes! {
    crate::queue::Produce,
    crate::queue::Lease,
    crate::queue::Complete,
    crate::queue::Retry,
    crate::queue::Clear,
    crate::queue::Stats,
    crate::queue::Reload,
    crate::queue::Extend,
    crate::queue::Pause,
    crate::queue::Resume,
    crate::queue::Put,
    crate::queue::Claim,
    crate::queue::Settle,
    crate::queues::Create,
    crate::queues::Update,
    crate::queues::List,
    crate::queues::Info,
    crate::queues::Delete,
    crate::storage::ListItems,
    crate::storage::ListScheduled,
    crate::storage::ListDamaged,
    crate::storage::Import,
    crate::storage::Delete,
    crate::letters::Capture,
    crate::letters::List,
    crate::letters::Get,
    crate::letters::Retry,
    crate::letters::Process,
    crate::letters::Archive,
    crate::letters::Restore,
    crate::letters::Resume,
    crate::letters::Edit,
    crate::letters::Annotate,
    crate::letters::Purge,
    crate::letters::Groups,
    crate::letters::Explain,
    crate::letters::Stats,
    crate::letters::Plan,
    crate::letters::Confirm,
    crate::letters::Export,
    crate::letters::Import,
    crate::letters::Configure,
    crate::letters::Templates,
    crate::letters::Preview,
    crate::routes::Create,
    crate::routes::Update,
    crate::routes::Delete,
    crate::routes::List,
    crate::routes::Get,
    crate::routes::Control,
    crate::status::Get,
    crate::status::Queues,
    crate::search::Status,
    crate::search::Rebuild,
    crate::search::Restore,
    crate::audit::List,
    crate::tenancy::whoami::Get,
    crate::tenancy::namespaces::Create,
    crate::tenancy::namespaces::Update,
    crate::tenancy::namespaces::List,
    crate::tenancy::namespaces::Delete,
    crate::tenancy::users::Create,
    crate::tenancy::users::List,
    crate::tenancy::users::Delete,
    crate::tenancy::apikeys::Create,
    crate::tenancy::apikeys::List,
    crate::tenancy::apikeys::Delete,
    crate::tenancy::roles::Create,
    crate::tenancy::roles::Update,
    crate::tenancy::roles::List,
    crate::tenancy::roles::Delete,
    crate::tenancy::rolebindings::Create,
    crate::tenancy::rolebindings::List,
    crate::tenancy::rolebindings::Delete,
}
