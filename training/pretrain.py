"""Trains the first head of the digit network on an NVIDIA GPU, from folders of labeled crops, and writes it as a model that
`sudoku-batch train --init` goes on from.

    pip install torch numpy pillow blake3
    python3 training/pretrain.py --model training/runs/digits --config training/digits/config.json \
        --out training/runs/pretrained training/runs/rendered training/runs/handwriting:0.6

First a larger network, the teacher, learns from the labels; then the network itself learns from the labels and from what
the teacher says about the same distorted crop (knowledge distillation: Hinton, Vinyals and Dean 2015; Beyer et al. 2022,
"Knowledge distillation: a good teacher is patient and consistent"). Distortions and normalization are those of
`src/training/augment.rs` and `src/digits/batch.rs`, computed on the GPU.

`--model` is a trained model of the same size. What it held out, by its `held-out.csv`, is held out here, too, and its card
stands for the new weights until `train` writes one.
"""

import argparse
import csv
import json
import math
import struct
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from blake3 import blake3
from PIL import Image
from torch import Tensor

SIDE = 32
# Pixels along the edge that statistics leave out because of grid lines.
EDGE = 4
CLASSES = 10
# Strides of the convolutions: `STRIDED` of `src/digits/net_config.rs`.
STRIDES = (2, 2, 2, 1, 1, 1)
TEACHER_WIDTHS = (32, 64, 64, 128, 128, 256)
TEACHER_STRIDES = (1, 2, 1, 2, 1, 2)
TEACHER_HIDDEN = 256
# Share of what the teacher says in what the network learns; the rest is the label.
TEACHER_SHARE = 0.7
# Share of a training in which the learning rate rises.
WARM_UP = 0.02
# Steps between two looks at the learning rate.
STRIDE = 20


# -- crops ----------------------------------------------------------------------------------------


class Crops(NamedTuple):
    """Labeled crops, as arrays or as tensors on the GPU."""

    # [n, 32, 32] gray values.
    pixels: np.ndarray | Tensor
    # [n]: contrasts of their boards.
    contrasts: np.ndarray | Tensor
    labels: np.ndarray | Tensor
    # [n]: how often each is drawn.
    weights: np.ndarray | Tensor

    def on(self, device: torch.device, mask: np.ndarray) -> "Crops":
        """Returns some of these crops as tensors."""
        return Crops(*(torch.from_numpy(values[mask]).to(device) for values in self))


def tones(pixels: Tensor) -> tuple[Tensor, Tensor]:
    """Returns background and contrast of crops, as `cell_tone` does."""
    middle = pixels[:, EDGE:-EDGE, EDGE:-EDGE].reshape(len(pixels), -1)
    ordered = middle.sort(dim=1).values
    low, ground, high = (ordered[:, rank] for rank in (12, 288, 564))
    return ground, torch.maximum(ground - low, high - ground)


def read_folder(
    folder: Path, weight: float, settings: dict, left_out: set[str]
) -> tuple[Crops, np.ndarray, np.ndarray]:
    """Returns the labeled crops of a folder, which of them are held out, and their sources."""
    with open(folder / "manifest.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["label"]]
    sheets: dict[str, Image.Image] = {}
    pixels = np.empty((len(rows), SIDE, SIDE), np.uint8)
    for index, row in enumerate(rows):
        if row["file"] not in sheets:
            sheets = {row["file"]: Image.open(folder / row["file"]).convert("L")}
        x, y, width, height = (int(row[key]) for key in ("x", "y", "width", "height"))
        crop = sheets[row["file"]].crop((x, y, x + width, y + height))
        if crop.size != (SIDE, SIDE):
            crop = crop.resize((SIDE, SIDE), Image.Resampling.BILINEAR)
        pixels[index] = crop
    contrasts = np.array([float(row.get("contrast") or "nan") for row in rows], np.float32)
    if np.isnan(contrasts).any():
        complete_contrasts(pixels, contrasts, rows)
    labels = np.array([int(row["label"]) for row in rows])
    weights = np.array([weight * source_weight(row["source"], settings) for row in rows])
    held_out = np.array([is_held_out(row, left_out, settings) for row in rows])
    sources = np.array([f"{folder.name} {row['source'].split('-')[0]}" for row in rows])
    return Crops(pixels, contrasts, labels, weights), held_out, sources


def source_weight(source: str, settings: dict) -> float:
    """Returns how often a crop of this source is drawn: the weight of the longest prefix that has one."""
    prefixes = [prefix for prefix in settings["source_weights"] if source.startswith(prefix)]
    return settings["source_weights"][max(prefixes, key=len)] if prefixes else 1.0


def is_held_out(row: dict[str, str], left_out: set[str], settings: dict) -> bool:
    """Returns whether a row is of a photo, a puzzle or a source that is left out."""
    by_source = row["source"].startswith(tuple(settings["validation_sources"]))
    return by_source or row["photo"] in left_out or row.get("puzzle") in left_out


def complete_contrasts(pixels: np.ndarray, contrasts: np.ndarray, rows: list[dict[str, str]]) -> None:
    """Computes contrasts that are not known, in place, and inverts light ink, as the program does."""
    unknown = np.isnan(contrasts)
    ground = tones(torch.from_numpy(pixels).float())[0].numpy()
    flat = pixels.reshape(len(pixels), -1).astype(np.float32)
    inverted = unknown & (ground < 64) & (flat.max(1) - ground > ground - flat.min(1))
    pixels[inverted] = 255 - pixels[inverted]
    own = tones(torch.from_numpy(pixels).float())[1].numpy()
    boards: dict[tuple[str, bool], list[float]] = {}
    for row, contrast in zip(rows, own):
        if row["photo"]:
            boards.setdefault((row["photo"], True), []).append(contrast)
        elif row["label"] != "0":
            boards.setdefault((row["file"], False), []).append(contrast)
    for index in np.flatnonzero(unknown):
        row = rows[index]
        if row["photo"]:
            contrasts[index] = np.quantile(boards[row["photo"], True], 0.9, method="nearest")
        elif row["label"] == "0" and (row["file"], False) in boards:
            contrasts[index] = np.median(boards[row["file"], False])
        else:
            contrasts[index] = own[index]


# -- distortions ----------------------------------------------------------------------------------


def uniform(like: Tensor, low: float, high: float) -> Tensor:
    """Returns random numbers from `low` to `high`, as many as `like` has."""
    return torch.empty_like(like).uniform_(low, high)


def whole(like: Tensor, low: float | Tensor, high: float | Tensor) -> Tensor:
    """Returns random whole numbers from `low` on and below `high`."""
    return (low + torch.rand_like(like) * (high - low)).floor()


def some(like: Tensor, probability: float) -> Tensor:
    """Returns true for each crop with this probability."""
    return torch.rand_like(like) < probability


def each(values: Tensor) -> Tensor:
    """Returns one value per crop in a shape that goes with their pixels."""
    return values.view(-1, 1, 1)


def augment(pixels: Tensor, board: Tensor) -> tuple[Tensor, Tensor]:
    """Returns distorted copies of crops, with the contrasts of their boards."""
    ground, contrast = tones(pixels)
    one = torch.ones_like(ground)
    x = warp(pixels, one)
    x = torch.where(each(some(one, 0.06)), line_fragment(x, torch.maximum(contrast, board)), x)
    x = torch.where(each(some(one, 0.02)), rub_out(x, ground), x)
    x = coarsened(x, one)
    for probability in (0.25, 0.05):
        x = torch.where(each(some(one, probability)), blurred(x), x)
    gain = torch.where(some(one, 0.5), uniform(one, 0.5, 1.1), one)
    noise = torch.where(some(one, 0.5), uniform(one, 0.0, 6.0), 0 * one)
    sloped = some(one, 0.2)
    slope_x, slope_y = (torch.where(sloped, uniform(one, -0.25, 0.25), 0 * one) for _ in range(2))
    at = torch.arange(SIDE, device=x.device) / SIDE - 0.5
    x = each(ground) + each(gain) * (x - each(ground))
    x = x * (1 + each(slope_x) * at.view(1, 1, SIDE) + each(slope_y) * at.view(1, SIDE, 1))
    x = x + each(noise) * torch.randn_like(x)
    x = torch.where(each(some(one, 0.04)), 255 - x, x)
    strength = torch.where(some(one, 0.3), uniform(one, 0.7, 1.7), one)
    return x.round().clamp(0, 255), (board * gain * strength).clamp(max=255)


def warp(pixels: Tensor, one: Tensor) -> Tensor:
    """Rotates, scales, shears and shifts; the border is replicated."""

    def normal(deviation: float) -> Tensor:
        return deviation * torch.randn_like(one)

    angle, aspect, shear = normal(0.06), 1 + normal(0.06), normal(0.06)
    scale = (1 + normal(0.08)).clamp(0.7, 1.3)
    sin, cos = angle.sin(), angle.cos()
    # In the coordinates of `grid_sample`, the middles of the outermost pixels are at -1 and 1.
    half = (SIDE - 1) / 2
    rows = [cos * scale * aspect, (shear - sin) * scale, normal(1.0) / half]
    rows += [sin * scale, cos * scale, normal(1.0) / half]
    size = [len(pixels), 1, SIDE, SIDE]
    grid = F.affine_grid(torch.stack(rows, 1).view(-1, 2, 3), size, align_corners=True)
    warped = F.grid_sample(pixels.unsqueeze(1), grid, padding_mode="border", align_corners=True)
    return warped.squeeze(1)


def line_fragment(x: Tensor, contrast: Tensor) -> Tensor:
    """Darkens a piece of a grid line along one side."""
    across, thickness = whole(contrast, 0, 6), whole(contrast, 1, 4)
    start = whole(contrast, 0, SIDE)
    end = whole(contrast, start, SIDE) + 1
    ink = contrast * uniform(contrast, 0.4, 1.0)
    at = torch.arange(SIDE, device=x.device).view(1, SIDE)
    from_side = torch.where(some(contrast, 0.5).view(-1, 1), SIDE - 1 - at, at)
    in_line = (from_side >= across.view(-1, 1)) & (from_side < (across + thickness).view(-1, 1))
    in_piece = (at >= start.view(-1, 1)) & (at < end.view(-1, 1))
    upright = in_piece.unsqueeze(2) & in_line.unsqueeze(1)
    piece = torch.where(each(some(contrast, 0.5)), upright, upright.transpose(1, 2))
    return x - each(ink) * piece


def rub_out(x: Tensor, ground: Tensor) -> Tensor:
    """Fades a small patch into the background."""
    side = whole(ground, 3, 7)
    at = torch.arange(SIDE, device=x.device).view(1, SIDE)
    inside = []
    for _ in range(2):
        start = whole(ground, 6, SIDE - 6 - side)
        inside.append((at >= start.view(-1, 1)) & (at < (start + side).view(-1, 1)))
    patch = inside[0].unsqueeze(2) & inside[1].unsqueeze(1)
    return torch.where(patch, each(ground) + 0.3 * (x - each(ground)), x)


def coarsened(x: Tensor, one: Tensor) -> Tensor:
    """Takes detail from 15 % of the crops, as in a photo in which a cell has 10 to 20 pixels. The program's own training
    does not do this."""
    draw = torch.rand_like(one)
    for index, side in enumerate((10, 12, 14, 17, 20)):
        coarse = F.interpolate(x.unsqueeze(1), size=(side, side), mode="area")
        coarse = F.interpolate(coarse, size=(SIDE, SIDE), mode="bilinear", align_corners=False)
        is_chosen = (draw >= 0.03 * index) & (draw < 0.03 * (index + 1))
        x = torch.where(each(is_chosen), coarse.squeeze(1), x)
    return x


def blurred(x: Tensor) -> Tensor:
    """Applies the binomial filter 1-2-1 once in both directions."""
    x = F.pad(x.unsqueeze(1), (1, 1, 1, 1), mode="replicate").squeeze(1)
    x = (x[:, :, :-2] + 2 * x[:, :, 1:-1] + x[:, :, 2:]) / 4
    return (x[:, :-2] + 2 * x[:, 1:-1] + x[:, 2:]) / 4


def normalized(pixels: Tensor, board: Tensor) -> Tensor:
    """Returns what the network sees, [n, 1, 32, 32], as `normalize` does."""
    ground, contrast = tones(pixels)
    scale = 1 / (torch.maximum(contrast, 0.4 * board) + 4)
    return ((each(ground) - pixels) * each(scale)).clamp(-1.6, 1.6).unsqueeze(1)


# -- networks -------------------------------------------------------------------------------------


class Net(torch.nn.Module):
    """Convolutions with batch normalization and ReLU, a hidden layer, ten classes."""

    def __init__(self, widths: tuple[int, ...], strides: tuple[int, ...], hidden: int) -> None:
        super().__init__()
        channels, side = 1, SIDE
        blocks: list[torch.nn.Module] = []
        for width, stride in zip(widths, strides):
            blocks.append(torch.nn.Conv2d(channels, width, 3, stride, 1, bias=False))
            blocks += [torch.nn.BatchNorm2d(width, momentum=0.01), torch.nn.ReLU()]
            channels, side = width, side // stride
        self.blocks = torch.nn.Sequential(*blocks)
        self.hidden = torch.nn.Linear(channels * side * side, hidden)
        self.output = torch.nn.Linear(hidden, CLASSES)
        for module in self.modules():
            if isinstance(module, (torch.nn.Conv2d, torch.nn.Linear)):
                torch.nn.init.kaiming_normal_(module.weight, nonlinearity="relu")

    def forward(self, crops: Tensor, dropout: float = 0.0) -> Tensor:
        features = self.blocks(crops).flatten(1)
        hidden = F.dropout(F.relu(self.hidden(features)), dropout, self.training)
        return self.output(hidden)


def burnpack(net: Net) -> bytes:
    """Returns the weights as a file of Burn: see `src/digits/weights_file.rs`."""
    tensors: list[tuple[str, Tensor]] = []
    convolutions, norms = list(net.blocks)[0::3], list(net.blocks)[1::3]
    for index, (convolution, norm) in enumerate(zip(convolutions, norms)):
        block = [("weight", convolution.weight), ("gamma", norm.weight), ("beta", norm.bias)]
        block += [("mean", norm.running_mean), ("variance", norm.running_var)]
        tensors += [(f"blocks.{index}.{name}", tensor) for name, tensor in block]
    for name, layer in (("hidden", net.hidden), ("output", net.output)):
        tensors += [(f"{name}.weight", layer.weight.T), (f"{name}.bias", layer.bias)]
    entries, values = [], b""
    for number, (name, tensor) in enumerate(tensors, 1):
        content = tensor.detach().cpu().contiguous().numpy().astype("<f4").tobytes()
        values += bytes(-len(values) % 256)
        offsets = [len(values), len(values) + len(content)]
        values += content
        entry = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": offsets}
        entries.append((name, entry | {"param_id": number}))
    head = cbor({"tensors": dict(entries), "metadata": {}})
    start = struct.pack("<IHI", 0x4255524E, 1, len(head)) + head
    return start + bytes(-len(start) % 256) + values


def cbor(value: dict | list | str | int) -> bytes:
    """Returns a value in CBOR (RFC 8949)."""

    def head(kind: int, count: int) -> bytes:
        if count < 24:
            return bytes([kind << 5 | count])
        return bytes([kind << 5 | 26]) + count.to_bytes(4, "big")

    if isinstance(value, dict):
        return head(5, len(value)) + b"".join(cbor(key) + cbor(of) for key, of in value.items())
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    if isinstance(value, str):
        return head(3, len(value)) + value.encode()
    return head(0, value)


# -- training -------------------------------------------------------------------------------------


def train(net: Net, crops: Crops, options: argparse.Namespace, count: float, teacher: Net | None = None) -> None:
    """Trains a network on `count` distorted crops, the learning rate falling by half a cosine."""
    device = crops.labels.device
    on_gpu = device.type == "cuda"
    rate = torch.zeros((), device=device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=options.weight_decay, capturable=on_gpu)
    bounds = crops.weights.double().cumsum(0)
    bounds = (bounds / bounds[-1]).float()
    classes = torch.arange(CLASSES, device=device)
    # Moving means of the loss and of the share that is read right.
    recent = torch.zeros(2, device=device)

    def step() -> None:
        at = torch.rand(options.batch_size, device=device)
        at = torch.searchsorted(bounds, at).clamp(max=len(bounds) - 1)
        labels = crops.labels[at]
        seen = normalized(*augment(crops.pixels[at].float(), crops.contrasts[at]))
        seen = seen.to(memory_format=torch.channels_last)
        smoothing = options.label_smoothing
        target = (labels.unsqueeze(1) == classes).float() * (1 - smoothing) + smoothing / CLASSES
        if teacher is not None:
            with torch.no_grad():
                opinion = teacher(seen).softmax(1)
            target = TEACHER_SHARE * opinion + (1 - TEACHER_SHARE) * target
        logits = net(seen, options.dropout)
        loss = -(target * logits.log_softmax(1)).sum(1).mean()
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        optimizer.step()
        right = (logits.argmax(1) == labels).float().mean()
        recent.mul_(0.99).add_(0.01 * torch.stack([loss.detach(), right]))

    run = step
    if on_gpu:
        # The whole step as one graph: its kernels are many and short.
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(5):
                step()
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        run = graph.replay
    steps = math.ceil(count / options.batch_size)
    for done in range(steps):
        if done % STRIDE == 0:
            share = done / steps
            fall = 0.5 + 0.5 * math.cos(math.pi * share)
            rate.fill_(options.learning_rate * min(share / WARM_UP, 1) * fall)
        run()
        if (done + 1) % max(1, steps // 10) == 0:
            loss, right = (recent / (1 - 0.99 ** (done + 1))).tolist()
            print(f"  {(done + 1) / steps:4.0%}  loss {loss:.4f}  right {right:.2%}", flush=True)


def evaluate(net: Net, crops: Crops, sources: np.ndarray) -> float:
    """Prints how many of these crops are read right, by source; returns the temperature at which the network's shares fit
    them best (Guo et al. 2017)."""
    net.eval()
    parts = range(0, len(crops.labels), 4096)
    with torch.no_grad():
        seen = (normalized(crops.pixels[at : at + 4096].float(), crops.contrasts[at : at + 4096]) for at in parts)
        logits = torch.cat([net(part) for part in seen])
    right = (logits.argmax(1) == crops.labels).cpu().numpy()
    for source in sorted(set(sources)):
        own = right[sources == source]
        print(f"  {source}: {own.mean():.2%} of {len(own)} held out", flush=True)
    temperatures = np.geomspace(0.25, 4.0, 401)
    losses = [F.cross_entropy(logits / temperature, crops.labels).item() for temperature in temperatures]
    return float(temperatures[np.argmin(losses)])


def main() -> None:
    """Reads the crops, trains teacher and network, writes the model."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", metavar="FOLDER[:WEIGHT]", help="crops, and how often each is drawn")
    parser.add_argument("--model", type=Path, required=True, help="a model of the same size, with its held-out.csv")
    parser.add_argument("--config", type=Path, required=True, help="settings: weights of sources, and those held out")
    parser.add_argument("--out", type=Path, required=True, help="folder for the model")
    parser.add_argument("--teacher-crops", type=float, default=28e6, help="crops that the teacher sees")
    parser.add_argument("--crops", type=float, default=54e6, help="crops that the network sees")
    parser.add_argument("--batch-size", type=int, default=4096)
    parser.add_argument("--learning-rate", type=float, default=0.003)
    parser.add_argument("--weight-decay", type=float, default=0.01)
    parser.add_argument("--dropout", type=float, default=0.05)
    parser.add_argument("--label-smoothing", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    card = json.loads((options.model / "card.json").read_text())
    settings = json.loads(options.config.read_text())
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    with open(options.model / "held-out.csv", newline="") as file:
        left_out = {row[key] for row in csv.DictReader(file) for key in ("photo", "puzzle")} - {""}
    folders = [argument.partition(":") for argument in options.folders]
    with ProcessPoolExecutor() as pool:
        tasks = [
            pool.submit(read_folder, Path(folder), float(weight or 1), settings, left_out)
            for folder, _, weight in folders
        ]
        read, held_out, sources = zip(*(task.result() for task in tasks))
    crops = Crops(*map(np.concatenate, zip(*read)))
    held_out, sources = np.concatenate(held_out), np.concatenate(sources)
    drawn = crops.weights * ~held_out
    for source in sorted(set(sources)):
        own = sources == source
        print(f"  {source}: {(own & ~held_out).sum()} crops, {drawn[own].sum() / drawn.sum():.1%} of those drawn")
    training, validation = crops.on(device, ~held_out), crops.on(device, held_out)

    size = card["config"]["net"]
    teacher = Net(TEACHER_WIDTHS, TEACHER_STRIDES, TEACHER_HIDDEN).to(device)
    net = Net(tuple(size["widths"]), STRIDES, size["hidden"]).to(device)
    teacher, net = (model.to(memory_format=torch.channels_last) for model in (teacher, net))
    print("teacher", flush=True)
    train(teacher, training, options, options.teacher_crops)
    evaluate(teacher, validation, sources[held_out])
    print("network", flush=True)
    train(net, training, options, options.crops, teacher)
    card["temperature"] = evaluate(net, validation, sources[held_out])
    weights = burnpack(net)
    size["kind_units"] = 0
    card["weights"] = blake3(weights).hexdigest()
    card["trained_blanks"] = float(drawn[crops.labels == 0].sum() / drawn.sum())
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "weights").write_bytes(weights)
    (options.out / "card.json").write_text(json.dumps(card, indent=2) + "\n")


if __name__ == "__main__":
    main()
