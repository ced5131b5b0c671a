"""Starts the server with the tests' own analysis: `python serve_fake.py [--stdio]`."""

from secondpass_server.command_line import build

if __name__ == "__main__":
    build("fake_analysis:Fake").start_io()
