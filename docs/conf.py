"""The site of these pages: `make docs`."""

project = "autograder"
html_title = "autograder"
html_theme = "furo"
html_show_sphinx = html_show_copyright = html_copy_source = html_show_sourcelink = False
smartquotes = False  # many of them are in code
extensions = ["myst_parser"]
myst_heading_anchors = 4  # as GitHub makes them, so that links lead somewhere in both
exclude_patterns = ["examples"]
