"""Quick-fixes: edits that are proved before they are offered.

`offer` makes candidates for a finding (one file a kind of edit), runs each changed text on the machine again and keeps
what cures it; `apply` writes them to files. libcst is loaded only where an edit needs it.
"""
