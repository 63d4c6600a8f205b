//! `whoami.*`: the identity of the caller.

use redrive_proto::redrive::v1::{WhoamiGetRequest, WhoamiGetResponse};

use super::table::calls;

calls! {
    /// Returns the user, the API key, the roles and the permissions of this client. No permission is required.
    whoami(WhoamiGetRequest) -> WhoamiGetResponse = call read "/v1/whoami.get";
}
