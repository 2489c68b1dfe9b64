"""Makes assets/encoder/u2netp.onnx: `python -m eval.salience_quantising U2NETP.onnx WORLD... --out FILE`.

U2NETP.onnx is the released small model of U2-Net as the background removers have it (SHA-256 `RELEASED`; 4.6 MB, input
fixed at 320x320, seven outputs). Its first output is kept, its input made free in size, and its convolutions quantised
to eight bits (seven for weights: without VNNI, products of eight bits overflow) by what they see on the worlds' index
pictures: 4.6 to 1.4 MB, 0.44 to 0.18 s on one core, silhouettes of 34 pictures in common with the released model's 0.95
(least) and 0.99 (median) of their union. Needs `pip install onnx sympy`; using what comes out needs neither.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assistant.errors import BadInput, NotReady
from assistant.search.image_encoder import thumbnail_of
from assistant.search.salience import as_input
from assistant.search.world_files import read_entities
from assistant.vision.frame import read_frame

RELEASED = "309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8"
#: Opset from which weights may be quantised channel by channel.
_OPSET = 17
_QUANTISED = ("Conv", "Relu", "MaxPool", "Concat", "Resize")
#: Left as they are, counted along the graph: eight bits at these two, before the last stage, lose a third of the
#: silhouettes; from the last on come those that make the seven outputs.
_KEPT, _OUTPUTS = slice(97, 99), slice(113, None)
_PICTURES = 40


def main() -> int:
    """Reads the arguments, writes the file and says what it has become."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="the released u2netp.onnx")
    parser.add_argument("worlds", type=Path, nargs="+", help="generated worlds (seeds 0-9)")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    found = hashlib.sha256(args.model.read_bytes()).hexdigest()
    if found != RELEASED:
        raise BadInput(f"{str(args.model)!r} is not the released u2netp.onnx: its SHA-256 is {found[:12]}…")
    quantise(args.model, _pictures(args.worlds), args.out)
    print(f"{args.out}: {args.out.stat().st_size} bytes", file=sys.stderr)
    return 0


def quantise(released: Path, pictures: Sequence[np.ndarray], out: Path) -> None:
    """Writes the smaller model to `out`; `pictures`: inputs as `assistant.search.salience.as_input` makes them."""
    try:
        import onnx
        from onnx import version_converter
        from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
        from onnxruntime.quantization.shape_inference import quant_pre_process
    except ImportError as problem:
        raise NotReady(f"{problem.name!r} is not installed: run `pip install onnx sympy`") from problem

    class Pictures(CalibrationDataReader):  # type: ignore[misc]
        def __init__(self, name: str) -> None:
            self._left = iter([{name: picture} for picture in pictures])

        def get_next(self) -> dict[str, np.ndarray] | None:
            return next(self._left, None)

    model = onnx.load(released)
    del model.graph.output[1:]
    for value in (*model.graph.input, *model.graph.output):
        for size, name in zip(value.type.tensor_type.shape.dim[2:], ("height", "width"), strict=True):
            size.dim_param = name
    with tempfile.TemporaryDirectory() as folder:
        free, ready = Path(folder) / "free.onnx", Path(folder) / "ready.onnx"
        onnx.save(version_converter.convert_version(model, _OPSET), free)
        quant_pre_process(str(free), str(ready), skip_symbolic_shape=True)
        convolutions = [node.name for node in onnx.load(ready).graph.node if node.op_type == "Conv"]
        quantize_static(
            str(ready),
            str(out),
            Pictures(model.graph.input[0].name),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(_QUANTISED),
            nodes_to_exclude=[*convolutions[_KEPT], *convolutions[_OUTPUTS]],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )


def _pictures(worlds: Sequence[Path]) -> list[np.ndarray]:
    """Some forty index pictures, spread over the worlds."""
    paths = [path for world in worlds for entity in read_entities(world) for path, _ in entity.images]
    chosen = paths[:: max(1, len(paths) // _PICTURES)][:_PICTURES]
    return [as_input(thumbnail_of(read_frame(path).pixels)) for path in chosen]


if __name__ == "__main__":
    sys.exit(main())
