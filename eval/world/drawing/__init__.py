"""Pictures of the world's entities: flat art (covers, labels, papers), the bodies that carry it, scenes with a camera.

Every picture is drawn afresh from an entity's parameters and an `Edition` (print run, wear, sticker), so two pictures
of one entity are never warps of each other.
"""
