"""What lies around a file: which files to check, the project's settings, other files of the project."""
