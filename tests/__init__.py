"""The tests; a package so that every test can ask `tests.judge.forkserver` for the truth."""
