//! `routes.*`: routes of the server.

use redrive_proto::redrive::v1::{
    RouteInfo, RoutesControlRequest, RoutesCreateRequest, RoutesDeleteRequest, RoutesGetRequest, RoutesListRequest,
    RoutesListResponse, RoutesUpdateRequest,
};

use super::table::calls;

calls! {
    /// Creates a route and starts it.
    create_route(RoutesCreateRequest) -> () = execute act "/v1/routes.create";
    /// Replaces the definition of a route.
    update_route(RoutesUpdateRequest) -> () = execute act "/v1/routes.update";
    /// Drains and deletes a route.
    delete_route(RoutesDeleteRequest) -> () = execute act "/v1/routes.delete";
    list_routes(RoutesListRequest) -> RoutesListResponse = call read "/v1/routes.list";
    route(RoutesGetRequest) -> RouteInfo = call read "/v1/routes.get";
    /// Starts, pauses or stops a route.
    control_route(RoutesControlRequest) -> () = execute act "/v1/routes.control";
}
