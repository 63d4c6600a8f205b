//! `whoami.*`: the identity of the caller, and what it may know of others.

use redrive_proto::redrive::v1::{
    WhoamiGetRequest, WhoamiGetResponse, WhoamiNamesRequest, WhoamiNamesResponse, WhoamiNamespacesRequest,
    WhoamiNamespacesResponse,
};

use super::table::calls;

calls! {
    /// Returns the user, the API key, the roles and the permissions of this client. No permission is required.
    whoami(WhoamiGetRequest) -> WhoamiGetResponse = call read "/v1/whoami.get";
    /// Lists the namespaces in which this client has a permission. No permission is required.
    own_namespaces(WhoamiNamespacesRequest) -> WhoamiNamespacesResponse = call read "/v1/whoami.namespaces";
    /// Returns the names of users and roles that this client may know.
    known_names(WhoamiNamesRequest) -> WhoamiNamesResponse = call read "/v1/whoami.names";
}
