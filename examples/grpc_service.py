"""A gRPC service for a route or a queue of Redrive, in Python with grpcio and protobuf. docs/grpc-target.md describes calls
and statuses.

The method is registered by hand, so that no code has to be generated. With grpc_tools, it would come from

    service Orders { rpc Place(google.protobuf.StringValue) returns (google.protobuf.Empty); }

`serve` is the loop: give it a function that does the work of a call. Below it is a sample; run it with

    python3 grpc_service.py 9001
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.wrappers_pb2 import StringValue


def serve(handle, port):
    """Calls `handle(order, metadata, context)` for every call, several at the same time, until the process ends.

    If it returns, the work is done. Work can arrive twice: `metadata["idempotency-key"]` is the same then.
    """

    def place(request, context):
        handle(request.value, dict(context.invocation_metadata()), context)
        return Empty()

    method = grpc.unary_unary_rpc_method_handler(
        place, request_deserializer=StringValue.FromString, response_serializer=Empty.SerializeToString
    )
    server = grpc.server(ThreadPoolExecutor(16))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("shop.Orders", {"Place": method}),))
    port = server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    print("listening on port", port, flush=True)
    server.wait_for_termination()


out_of_stock = {"atlas"}


def sample(order, metadata, context):
    """Places orders; a stand-in for work."""
    if not order.strip():
        # A repetition is useless.
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the order is empty")
    if order in out_of_stock:
        out_of_stock.discard(order)
        # A repetition helps, one second later.
        context.set_trailing_metadata([("grpc-retry-pushback-ms", "1000")])
        context.abort(grpc.StatusCode.UNAVAILABLE, "out of stock for a moment")
    print("placed", order, flush=True)


if __name__ == "__main__":
    serve(sample, int(sys.argv[1]))
