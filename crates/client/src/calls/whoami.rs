//! `whoami.*`: the identity of the caller.

use redrive_proto::redrive::v1::{WhoamiGetRequest, WhoamiGetResponse};

use crate::call::Call;
use crate::{Client, ClientError};

impl Client {
    /// Returns the user, the API key, the roles and the permissions of this client. No permission is required.
    pub async fn whoami(&self, request: &WhoamiGetRequest) -> Result<WhoamiGetResponse, ClientError> {
        self.call(Call::read("/v1/whoami.get"), request).await
    }
}
