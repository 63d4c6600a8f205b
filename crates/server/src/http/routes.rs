//! The list of all calls.

use std::collections::HashMap;

use super::endpoint::Endpoint;
use super::route::{Api, Route};
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

    fn add<E: Endpoint>(&mut self, api: Api, settings: &Settings) {
        let number = self.by_path.len();
        self.by_path.insert(E::PATH, Route::of::<E>(api, number, settings));
    }
}

macro_rules! routes {
    ($($(#[$condition:meta])? $Api:ident $Endpoint:path,)*) => {
        impl Routes {
            pub(crate) fn new(settings: &Settings) -> Self {
                let mut routes = Self { by_path: HashMap::new() };
                $($(#[$condition])? routes.add::<$Endpoint>(Api::$Api, settings);)*
                routes
            }
        }
    };
}

routes! {
    Querator crate::queue::Produce,
    Querator crate::queue::Lease,
    Querator crate::queue::Complete,
    Querator crate::queue::Retry,
    Querator crate::queue::Clear,
    Querator crate::queue::Stats,
    Querator crate::queue::Reload,
    Redrive crate::queue::Extend,
    Redrive crate::queue::Pause,
    Redrive crate::queue::Resume,
    Redrive crate::queue::Put,
    Redrive crate::queue::Claim,
    Redrive crate::queue::Settle,
    Querator crate::queues::Create,
    Querator crate::queues::Update,
    Querator crate::queues::List,
    Querator crate::queues::Info,
    Querator crate::queues::Delete,
    Querator crate::storage::ListItems,
    Querator crate::storage::ListScheduled,
    Querator crate::storage::ListDamaged,
    Querator crate::storage::Import,
    Querator crate::storage::Delete,
    Redrive crate::letters::Capture,
    Redrive crate::letters::List,
    Redrive crate::letters::Get,
    Redrive crate::letters::Retry,
    Redrive crate::letters::Process,
    Redrive crate::letters::Archive,
    Redrive crate::letters::Restore,
    Redrive crate::letters::Resume,
    Redrive crate::letters::Edit,
    Redrive crate::letters::Annotate,
    Redrive crate::letters::Purge,
    Redrive crate::letters::Groups,
    Redrive crate::letters::Explain,
    Redrive crate::letters::Stats,
    Redrive crate::letters::Plan,
    Redrive crate::letters::Confirm,
    Redrive crate::letters::RunList,
    Redrive crate::letters::RunDetails,
    Redrive crate::letters::Cancel,
    Redrive crate::letters::Export,
    Redrive crate::letters::Import,
    Redrive crate::letters::Configure,
    Redrive crate::letters::Templates,
    Redrive crate::letters::Preview,
    Redrive crate::routes::Create,
    Redrive crate::routes::Update,
    Redrive crate::routes::Delete,
    Redrive crate::routes::List,
    Redrive crate::routes::Get,
    Redrive crate::routes::Control,
    Redrive crate::status::Get,
    Redrive crate::status::Queues,
    #[cfg(feature = "search")]
    Redrive crate::search::Status,
    #[cfg(feature = "search")]
    Redrive crate::search::Rebuild,
    #[cfg(feature = "search")]
    Redrive crate::search::Restore,
    Redrive crate::audit::List,
    Redrive crate::tenancy::whoami::Get,
    Redrive crate::tenancy::whoami::Namespaces,
    Redrive crate::tenancy::whoami::Names,
    Querator crate::tenancy::namespaces::Create,
    Querator crate::tenancy::namespaces::Update,
    Querator crate::tenancy::namespaces::List,
    Querator crate::tenancy::namespaces::Delete,
    Querator crate::tenancy::users::Create,
    Querator crate::tenancy::users::List,
    Querator crate::tenancy::users::Delete,
    Querator crate::tenancy::apikeys::Create,
    Querator crate::tenancy::apikeys::List,
    Querator crate::tenancy::apikeys::Delete,
    Querator crate::tenancy::roles::Create,
    Querator crate::tenancy::roles::Update,
    Querator crate::tenancy::roles::List,
    Querator crate::tenancy::roles::Delete,
    Querator crate::tenancy::rolebindings::Create,
    Querator crate::tenancy::rolebindings::List,
    Querator crate::tenancy::rolebindings::Delete,
}
