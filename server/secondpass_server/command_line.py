"""`secondpass server`: over standard input and output, or over TCP for a client that connects."""

from __future__ import annotations

import argparse
import socket
from collections.abc import Sequence

from . import features
from .analysis import INSTALLED
from .server import Server


def build(analysis: str = INSTALLED) -> Server:
    """A server with all its features."""
    server = Server(analysis)
    features.register(server)
    return server


def serve_one(server: Server, listener: socket.socket) -> None:
    """Serve the first client that connects until it leaves (from Python 3.12 on, pygls' own TCP server then stays)."""
    with listener:
        connection, _ = listener.accept()
    with connection, connection.makefile("rb") as received, connection.makefile("wb") as sent:
        server.start_io(received, sent)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="secondpass server", description="The language server of secondpass.")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="speak over standard input and output (the default)")
    way.add_argument("--tcp", action="store_true", help="wait for one client on a TCP port")
    parser.add_argument("--host", default="127.0.0.1", help="address for --tcp (default: %(default)s)")
    parser.add_argument("--port", type=int, default=2087, help="port for --tcp (default: %(default)s)")
    arguments = parser.parse_args(argv)
    server = build()
    if arguments.tcp:
        try:
            listener = socket.create_server((arguments.host, arguments.port))
        except OSError as error:
            parser.exit(2, f"secondpass server: cannot listen on {arguments.host}:{arguments.port}: {error.strerror}\n")
        serve_one(server, listener)
    else:
        server.start_io()
    return 0
