"""An HTTP service for a route or a queue of Redrive, in Python and without a library. docs/http-target.md describes
requests and responses.

`serve` is the loop: give it a function that does the work of a request. Below it is a sample; run it with

    python3 http_service.py 9000
"""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Failed(Exception):
    """Answered with this status: 400 says that a repetition is useless, 503 that it helps. `retry_after` is in seconds."""

    def __init__(self, status, message="", retry_after=None):
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


def serve(handle, port):
    """Calls `handle(headers, payload)` for every request, several at the same time, until the process ends.

    If it returns, the work is done. Work can arrive twice: `headers["Idempotency-Key"]` is the same then.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # Connections stay open.
        disable_nagle_algorithm = True

        def do_POST(self):
            payload = self.rfile.read(int(self.headers["Content-Length"]))
            status, message, retry_after = 200, "", None
            try:
                handle(self.headers, payload)
            except Failed as failed:
                status, message, retry_after = failed.status, str(failed), failed.retry_after
            except Exception as error:
                status, message = 500, f"{type(error).__name__}: {error}"
            body = message.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if retry_after is not None:
                self.send_header("Retry-After", str(retry_after))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 128

    with Server(("127.0.0.1", port), Handler) as server:
        print("listening on port", server.server_port, flush=True)
        server.serve_forever()


out_of_stock = {"atlas"}


def sample(headers, payload):
    """Places orders; a stand-in for work."""
    order = payload.decode("utf-8", "replace").strip()
    if not order:
        raise Failed(400, "the order is empty")
    if order in out_of_stock:
        out_of_stock.discard(order)
        raise Failed(503, "out of stock for a moment", retry_after=1)
    print("placed", order, flush=True)


if __name__ == "__main__":
    serve(sample, int(sys.argv[1]))
