#!/bin/sh
# Runs an example of routes on a real Kafka, and stops everything that it has started except Kafka:
#
#     examples/routes/run.sh http|grpc|worker|spring
#
# BOOTSTRAP_SERVERS is the address of a Kafka cluster, whose topics and groups redrive-example-* it uses. Without it,
# `cargo xtask services up kafka` starts a broker. The program is `redrive` on the PATH, or is built by cargo.
set -eu

usage() {
    echo "usage: [BOOTSTRAP_SERVERS=HOST:PORT] $0 http|grpc|worker|spring" >&2
    exit 2
}

[ $# -eq 1 ] || usage
example=$1
modules="confluent_kafka"
case $example in
    http | worker | spring) ;;
    grpc) modules="confluent_kafka, grpc, google.protobuf" ;;
    *) usage ;;
esac

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
if [ -z "${BOOTSTRAP_SERVERS:-}" ]; then
    BOOTSTRAP_SERVERS=$(cargo xtask services up kafka | awk '$NF == "REDRIVE_TEST_KAFKA" { print $(NF - 1) }')
    echo "Kafka runs at $BOOTSTRAP_SERVERS; stop it with: cargo xtask services down kafka"
fi
if ! command -v redrive > /dev/null; then
    PATH="$(cargo build -q --message-format=json -p redrive-cli |
        sed -n 's/.*"executable":"\(.*\)\/redrive".*/\1/p'):$PATH"
fi
# The packages of Debian are for the Python of Debian, which may not be the first one on the PATH.
for python in python3 /usr/bin/python3 ''; do
    if [ -z "$python" ]; then
        echo "Python cannot import $modules; install them with: sudo apt-get install python3-confluent-kafka python3-grpcio" >&2
        exit 1
    fi
    if "$python" -c "import $modules" 2> /dev/null; then
        break
    fi
done

work=$(mktemp -d)
started=""
finish() {
    status=$?
    trap - EXIT INT TERM
    for pid in $started; do
        { kill "$pid" && wait "$pid"; } 2> /dev/null || true
    done
    if [ "$status" -ne 0 ] && [ -e "$work/server.log" ]; then
        echo "the log of the server:" >&2
        cat "$work/server.log" >&2
    fi
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

# Prints a command and runs it.
show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# Waits for a line of a file, and prints what follows the given beginning.
line_of() {
    for _ in $(seq 300); do
        line=$(sed -n "s/^$2//p" "$1" 2> /dev/null | head -n 1)
        [ -z "$line" ] || break
        sleep 0.1
    done
    [ -n "$line" ] || { echo "$1 has no line '$2'" >&2; exit 1; }
    echo "$line"
}

# Waits until the output of a command matches a pattern.
wait_for() {
    pattern=$1
    shift
    for _ in $(seq 900); do
        if "$@" 2> /dev/null | grep -q "$pattern"; then
            return
        fi
        sleep 0.1
    done
    echo "timed out: $* does not print $pattern" >&2
    "$@" >&2
    exit 1
}

# Starts the server with the configuration of the example and the addresses of this run.
serve() {
    sed -e "s/localhost:9092/$BOOTSTRAP_SERVERS/" -e "s/127.0.0.1:9000/${service:-}/" \
        "$here/$example.toml" > "$work/redrive.toml"
    redrive config check "$work/redrive.toml"
    redrive serve --memory --listen 127.0.0.1:0 --config "$work/redrive.toml" > "$work/ready" 2> "$work/server.log" &
    started="$! $started"
    address=$(line_of "$work/ready" "ready api=")
    export REDRIVE_SERVER="http://$address"
}

# A service in Python, on a free port.
start_service() {
    "$python" -B "$1" 0 > "$work/service.log" &
    started="$! $started"
    port=$(line_of "$work/service.log" "listening on port ")
    service="127.0.0.1:$port"
}

topic=redrive-example-$example
records() {
    "$python" -B "$here/records.py" "$1" "$BOOTSTRAP_SERVERS" "$topic"
}

# Two orders are placed, one of them at the second attempt; the third one is empty and becomes a letter.
route_orders() {
    records "$1"
    serve
    redrive queue create orders-dead
    wait_for '"done_total":"2".*"letters_total":"1"' redrive route show orders --output json
}

case $example in
    http)
        start_service http_service.py
        route_orders orders
        show cat "$work/service.log"
        ;;
    grpc)
        start_service grpc_service.py
        route_orders grpc-orders
        show cat "$work/service.log"
        ;;
    worker)
        route_orders orders
        # What a worker prints is in the log of the server.
        show grep counting "$work/server.log"
        ;;
    spring)
        records spring-dlt
        serve
        wait_for '"status":"pending"' redrive letters list orders-dead --output json
        ;;
esac

if [ "$example" != spring ]; then
    show redrive route list
    show redrive letters list orders-dead
    exit
fi
letter=$(redrive letters list orders-dead --output json | sed 's/.*"id":"\([^"]*\)".*/\1/')
show redrive letters show orders-dead "$letter"
show redrive letters edit orders-dead "$letter" --payload '{"order":7,"amount":12}' --retry
show redrive letters list orders-dead --all
printf '\nthe last record of %s:\n' "$topic"
records last
