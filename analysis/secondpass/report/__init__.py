"""How findings are shown: text, concise lines, JSON, SARIF, GitHub annotations and the picture of the graph.

Everything here works from a `Report` (the words of `secondpass.findings`) and a way to get source lines; nothing here
reads rules, runs the machine or decides what is a finding. Third-party packages load only where they are used.
"""
