"""A worker for Redrive, in Python and without a library. The protocol is in docs/worker-protocol.md.

`run` is the loop: give it a function from a request to a result. Below it is a sample.
"""

import json
import os
import struct
import sys


class Deferred(Exception):
    """Not now: the work is not tried before `after_ms` have passed, and no attempt is spent."""

    def __init__(self, after_ms):
        self.after_ms = after_ms


class Partial(Exception):
    """Some parts of the work failed; only these are tried again."""

    def __init__(self, failed_parts, message=""):
        super().__init__(message)
        self.failed_parts = failed_parts


def run(handle):
    """Calls `handle(request, payload, beat)` for every request, until there are no more.

    What it returns is the result (bytes, or None); what it raises is the failure. An error with an attribute `evidence`,
    such as {"http": 503, "retry_after_ms": 2000}, says more than its text. `beat()` shows that long work makes progress.
    """
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # From here on, print() goes to the log and not between the frames,
    sys.stdout.reconfigure(line_buffering=True)  # line by line.

    def write(header, payload=b""):
        text = json.dumps(header).encode()
        sink.write(struct.pack(">II", 4 + len(text) + len(payload), len(text)) + text + payload)
        sink.flush()

    write({"type": "hello", "version": 1})
    while lengths := source.read(8):
        length, header_length = struct.unpack(">II", lengths)
        request = json.loads(source.read(header_length))
        payload = source.read(length - 4 - header_length)
        reply = {"type": "reply", "call": request["call"], "outcome": "done"}
        result = b""
        try:
            result = handle(request, payload, lambda: write({"type": "beat", "call": request["call"]})) or b""
        except Deferred as later:
            reply.update(outcome="deferred", after_ms=later.after_ms)
        except Partial as some:
            reply.update(outcome="partial", failed_parts=some.failed_parts, error=error_of(some))
        except Exception as error:
            reply.update(outcome="failed", error=error_of(error))
        write(reply, result)


def error_of(error):
    """An exception with its causes, as a reply tells it."""
    causes, cause = [], error.__cause__
    while cause is not None and len(causes) < 32:
        causes.append(link_of(cause))
        cause = cause.__cause__
    return {**link_of(error), "causes": causes}


def link_of(error):
    parents = [parent.__name__ for parent in type(error).__mro__[1:] if parent not in (BaseException, object)]
    own = {"type": type(error).__name__, "parents": parents, "message": str(error)}
    return {**own, **getattr(error, "evidence", {})}


def octets(value):
    """The bytes of a key or a header: text where they are text, else {"hex": "..."}."""
    return bytes.fromhex(value["hex"]) if isinstance(value, dict) else value.encode()


def sample(request, payload, beat):
    """Counts words; a stand-in for work."""
    beat()
    if not payload:
        raise ValueError("validation: nothing in it")
    print("counting the words of", request["id"])
    return str(len(payload.split())).encode()


if __name__ == "__main__":
    run(sample)
