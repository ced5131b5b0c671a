"""The command line: one file a subcommand, each imported only when it is asked for.

`main` finds the subcommand, `boundary` is the one place that meets what went wrong, `parser` says wrong use in one
line. What a subcommand does itself is to turn arguments into a call of the analysis and its outcome into a report.
"""
