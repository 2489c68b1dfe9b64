"""CRAG's mock knowledge graph: a store built once from the released files, and its 38 routes over it.

`build` makes the store, `kg.CragKg` answers in process and for models, `server` over HTTP. What the routes return is
what the released server returns (facebookresearch/CRAG, mock_api; arXiv 2406.04744); where that server fails with an
error, the answer here is the one for what is not known. The data are CC BY-NC 4.0 and no part of this project.
"""
