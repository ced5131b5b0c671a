"""Validation against a traced run: recorder.py runs a program and records it, the rest reads what it recorded."""
