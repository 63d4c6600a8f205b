//! `routes.*`: routes of the server.

use redrive_proto::redrive::v1::{
    RouteInfo, RoutesControlRequest, RoutesCreateRequest, RoutesDeleteRequest, RoutesGetRequest, RoutesListRequest,
    RoutesListResponse, RoutesUpdateRequest,
};

use crate::call::Call;
use crate::{Client, ClientError};

impl Client {
    /// Creates a route and starts it.
    pub async fn create_route(&self, request: &RoutesCreateRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/routes.create"), request).await
    }

    /// Replaces the definition of a route.
    pub async fn update_route(&self, request: &RoutesUpdateRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/routes.update"), request).await
    }

    /// Drains and deletes a route.
    pub async fn delete_route(&self, request: &RoutesDeleteRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/routes.delete"), request).await
    }

    pub async fn list_routes(&self, request: &RoutesListRequest) -> Result<RoutesListResponse, ClientError> {
        self.call(Call::read("/v1/routes.list"), request).await
    }

    pub async fn route(&self, request: &RoutesGetRequest) -> Result<RouteInfo, ClientError> {
        self.call(Call::read("/v1/routes.get"), request).await
    }

    /// Starts, pauses or stops a route.
    pub async fn control_route(&self, request: &RoutesControlRequest) -> Result<(), ClientError> {
        self.execute(Call::act("/v1/routes.control"), request).await
    }
}
