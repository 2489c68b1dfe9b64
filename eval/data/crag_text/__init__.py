"""CRAG's rows (facebookresearch/CRAG, arXiv 2406.04744): questions with five or fifty web pages each, as HTML.

`html_text` makes text of a page, `rows` samples of a file, `store` keeps the text of large files' pages.
"""
