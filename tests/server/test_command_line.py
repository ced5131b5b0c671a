"""`secondpass server`, as editors start it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time

import pytest

SERVER = (sys.executable, "-m", "secondpass_server")
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}


def frame(message: object) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


@pytest.mark.parametrize("arguments", [(), ("--stdio",)])
def test_standard_input_and_output_and_nothing_else_on_them(arguments: tuple[str, ...]) -> None:
    messages = [INITIALIZE, {"jsonrpc": "2.0", "id": 2, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"}]
    given = b"".join(map(frame, messages))
    ran = subprocess.run([*SERVER, *arguments], input=given, capture_output=True, timeout=20, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith(b"Content-Length: ")
    assert ran.stdout.count(b'"jsonrpc"') == 2
    assert ran.stderr == b""


def test_over_tcp() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*SERVER, "--tcp", "--port", str(port)], stderr=subprocess.PIPE)
    try:
        end = time.monotonic() + 15
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port), timeout=10)
                break
            except OSError:
                assert time.monotonic() < end
                time.sleep(0.1)
        with connection:
            connection.sendall(frame(INITIALIZE))
            assert b"Content-Length" in connection.recv(4096)
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()


def test_a_port_in_use_is_one_clear_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [*SERVER, "--tcp", "--port", str(port)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert ran.returncode == 2
    assert ran.stderr.startswith(f"secondpass server: cannot listen on 127.0.0.1:{port}: ")
    assert ran.stderr.count("\n") == 1


def test_the_loop_imports_no_analysis() -> None:
    """The server's own process stays small: what analyses lives in the worker."""
    heavy = ["libcst", "torch", "jedi", "parso", "rich", "secondpass.rules", "secondpass.machine"]
    build = "import sys; from secondpass_server.command_line import build; build()"
    code = f"{build}; print(*[name for name in {heavy} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert ran.stdout.strip() == ""
