"""Read QR and bar codes. What they hold is inert text: it is shown, never opened and never obeyed."""

from __future__ import annotations

from assistant.core.types import Code, Frame

#: Codes carry at most a few thousand characters; a frame full of codes is cut at this many.
MAX_CODES = 16


def read_codes(frame: Frame) -> tuple[Code, ...]:
    """All codes on the frame with their payload and outline in the frame's pixels, from top to bottom."""
    import zxingcpp

    if min(frame.width_px, frame.height_px) < 16:
        return ()
    found = []
    for barcode in zxingcpp.read_barcodes(frame.pixels):
        corners = barcode.position
        points = (corners.top_left, corners.top_right, corners.bottom_right, corners.bottom_left)
        outline = tuple((float(p.x), float(p.y)) for p in points)
        found.append(Code(format=barcode.format.name, text=barcode.text, outline_px=outline))
    found.sort(key=lambda code: (min(y for _, y in code.outline_px), min(x for x, _ in code.outline_px), code.text))
    return tuple(found[:MAX_CODES])
