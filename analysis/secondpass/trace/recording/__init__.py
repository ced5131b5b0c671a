"""What runs inside the user's process while a program is recorded; loaded by recorder.py, torch imported nowhere.

Python 3.9 and newer, standard library only: torch is reached through the modules the program itself imported.
"""
