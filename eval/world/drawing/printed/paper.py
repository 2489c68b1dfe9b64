"""Signs, menus, price labels, cards, posters and timetables: everything whose point is its text."""

from __future__ import annotations

import random
from collections.abc import Callable

import cv2
import numpy as np
from PIL import Image

from eval.world.drawing.kit.canvas import Canvas, Colour, FontBox, Palette, mix, readable
from eval.world.drawing.kit.edition import Art, Edition, weather
from eval.world.drawing.kit.icons import ICONS, icon
from eval.world.drawing.printed.covers import palette_for
from eval.world.model import Thing
from eval.world.verbalise import date_text, number_text

PAPER: Colour = (246, 242, 232)


def price_text(x: float) -> str:
    return f"€ {x:.2f}"


def draw_paper(thing: Thing, edition: Edition, fonts: FontBox) -> Art:
    """The picture of a notice; its form decides layout and size."""
    style, own = random.Random(thing.look["style"]), random.Random(thing.look["own"])
    p = edition.tint(palette_for(thing))
    return _FORMS[thing.content["form"]](thing, p, style, own, edition, fonts)


def _qr(c: Canvas, text: str, x: float, y: float, width: float) -> None:
    code = cv2.QRCodeEncoder.create().encode(text)
    quiet = cv2.copyMakeBorder(code, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=255)
    side = round(width * c.w)
    big = cv2.resize(quiet, (side, side), interpolation=cv2.INTER_NEAREST)
    c.image.paste(Image.fromarray(big).convert("RGBA"), (round(x * c.w), round(y * c.h)))


def _opening(t: Thing, p: Palette, s: random.Random, own: random.Random, e: Edition, f: FontBox) -> Art:
    c = Canvas(1100, 1400, p.main)
    light = readable(p.main, p.light, p.ink)
    c.rect(0.035, 0.027, 0.965, 0.973, None, outline=p.accent, width=0.01)
    title, text = f.pick("title", s), f.pick("strong", s)
    c.text((0.1, 0.06, 0.9, 0.22), t.content["title"], title, light, lines=2)
    c.text(
        (0.25, 0.235, 0.75, 0.285),
        s.choice(["Opening hours", "We are open", "Hours"]),
        f.pick("text", s),
        p.accent if p.word != "yellow" else p.ink,
    )
    y = 0.315
    for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"):
        span = t.content["hours"].get(day)
        c.text((0.1, y, 0.5, y + 0.048), day, text, light, align="left", lines=1)
        c.text(
            (0.5, y, 0.9, y + 0.048),
            f"{span[0]} – {span[1]}" if span else "closed",
            text,
            light,
            align="right",
            lines=1,
        )
        y += 0.058
    code = t.content.get("code")
    right = 0.64 if code else 0.9
    c.text((0.1, 0.77, right, 0.83), t.content["street"], text, light, align="left", lines=1, max_size=0.045)
    c.text((0.1, 0.84, right, 0.9), f"Tel. {t.content['phone']}", text, light, align="left", lines=1, max_size=0.045)
    if code:
        _qr(c, code, 0.68, 0.755, 0.23)
    else:
        icon(c, own.choice(sorted(ICONS)), 0.5, 0.935, 0.03, p.accent, light, own)
    return Art(weather(c.array(), e, paper=True), 24, 30.5, 0.6, "paper", mix(p.main, p.ink, 0.4), p.word, 0.3)


def _menu(t: Thing, p: Palette, s: random.Random, own: random.Random, e: Edition, f: FontBox) -> Art:
    chalk = s.random() < 0.4
    ground, ink = ((38, 44, 42), (238, 236, 226)) if chalk else (PAPER, (44, 36, 32))
    accent = mix(p.accent, ink, 0.2) if chalk else readable(PAPER, p.main, p.second, p.ink)
    c = Canvas(1100, 1550, ground)
    if chalk:
        c.rect(0, 0, 1, 1, None, outline=(120, 84, 50), width=0.035)
    else:
        c.rect(0.04, 0.028, 0.96, 0.972, None, outline=accent, width=0.006)
    title = f.pick("brand", s)
    text = f.pick("hand" if chalk else "text", random.Random(s.random()) if not chalk else s)
    c.text((0.14, 0.055, 0.86, 0.15), t.content["title"], title, accent, lines=1)
    icon(c, own.choice(["cup", "sprig", "fruit", "grain", "fish"]), 0.5, 0.2, 0.055, accent, ink, own)
    y = 0.255
    step = min(0.056, 0.6 / (len(t.content["items"]) + 1.3 * len(t.content["sections"])))
    for name, items in t.content["sections"]:
        c.text((0.12, y, 0.88, y + step), name, title, accent, align="left", lines=1)
        y += step * 1.1
        for item in items:
            row = (y, y + step * 0.9)
            c.text((0.12, row[0], 0.68, row[1]), item, text, ink, align="left", lines=1, max_size=0.036)
            price = price_text(t.content["items"][item])
            c.text((0.7, row[0], 0.88, row[1]), price, text, ink, align="right", lines=1, max_size=0.036)
            y += step
        y += step * 0.2
    if t.content.get("code"):
        _qr(c, t.content["code"], 0.74, 0.865, 0.13)
    c.text((0.12, 0.9, 0.66, 0.945), f"Tables: {t.content['phone']}", text, ink, align="left", lines=1, max_size=0.034)
    return Art(weather(c.array(), e, paper=True), 21, 29.6, 0.4, "paper", ground, "black" if chalk else "white", 0.15)


def _label(t: Thing, p: Palette, s: random.Random, own: random.Random, e: Edition, f: FontBox) -> Art:
    c = Canvas(1300, 780, s.choice([(252, 222, 70), (255, 255, 255), (255, 246, 200)]))
    ink = (20, 20, 24)
    strong = f.pick("strong", s)
    c.rect(0, 0, 1, 0.12, p.main)
    c.text(
        (0.05, 0.015, 0.95, 0.105),
        s.choice(["OFFER", "EVERYDAY PRICE", "THIS WEEK", "NEW IN"]),
        f.pick("sign", s),
        readable(p.main, p.light, p.ink),
        lines=1,
    )
    c.text((0.05, 0.15, 0.95, 0.4), t.content["title"], strong, ink, align="left", lines=2)
    c.text((0.05, 0.44, 0.42, 0.56), f"{t.content['grams']} g", f.pick("text", s), ink, align="left", lines=1)
    _bars(c, own, t.content["number"], f)
    c.text(
        (0.42, 0.42, 0.95, 0.95),
        f"{t.content['price']:.2f} €",
        f.pick("sign", s),
        (180, 20, 30) if s.random() < 0.6 else ink,
        align="right",
        lines=1,
    )
    return Art(weather(c.array(), e, paper=True), 11, 6.6, 0.1, "paper", (230, 230, 225), "white", 0.35)


def _bars(c: Canvas, own: random.Random, number: str, f: FontBox) -> None:
    pos = 0.05
    while pos < 0.35:
        bar = own.choice([0.004, 0.007, 0.011])
        c.rect(pos, 0.62, pos + bar, 0.84, (20, 20, 24))
        pos += bar + own.choice([0.004, 0.008])
    c.text((0.05, 0.86, 0.35, 0.95), number, f.pick("typed", own), (20, 20, 24), lines=1)


def _card(t: Thing, p: Palette, s: random.Random, own: random.Random, e: Edition, f: FontBox) -> Art:
    dark = s.random() < 0.4
    ground = p.ink if dark else PAPER
    c = Canvas(1280, 800, ground)
    ink = readable(ground, p.light, (30, 28, 32))
    accent = readable(ground, p.accent, p.main, p.second)
    if s.random() < 0.5:
        c.rect(0, 0, 0.07, 1, accent)
    else:
        c.rect(0, 0.9, 1, 1, accent)
    title, text = f.pick("title", s), f.pick("text", s)
    code = t.content.get("code")
    right = 0.7 if code else 0.78
    c.text((0.12, 0.1, right, 0.28), t.content["title"], title, ink, align="left", lines=1)
    c.text((0.12, 0.29, right, 0.39), t.content["job"], text, accent, align="left", lines=1)
    for i, line in enumerate((t.content["phone"], t.content["email"], f"{t.content['street']}, {t.content['town']}")):
        c.text((0.12, 0.5 + 0.125 * i, 0.72, 0.6 + 0.125 * i), line, text, ink, align="left", lines=1, max_size=0.085)
    if code:
        _qr(c, code, 0.74, 0.12, 0.21)
    else:
        icon(c, own.choice(sorted(ICONS)), 0.87, 0.3, 0.07, accent, ink, own)
    return Art(weather(c.array(), e, paper=True), 8.5, 5.3, 0.05, "paper", ground, "black" if dark else "white", 0.15)


def _event(t: Thing, p: Palette, s: random.Random, own: random.Random, e: Edition, f: FontBox) -> Art:
    c = Canvas(1100, 1550, p.main)
    ink = readable(p.main, p.light, p.ink)
    for i in range(10):
        c.poly([(0.5, 0.47), (-0.5 + i * 0.22, 1.2), (-0.4 + i * 0.22, 1.2)], mix(p.main, p.second, 0.35))
    c.disc(0.5, 0.47, 0.27, p.light)
    icon(c, own.choice(sorted(ICONS)), 0.5, 0.47, 0.17, p.accent if p.accent != p.light else p.main, p.ink, own)
    title, strong = f.pick("title", s), f.pick("strong", s)
    c.text((0.07, 0.04, 0.93, 0.27), t.content["title"], title, ink, lines=3)
    c.rect(0, 0.7, 1, 1, p.ink)
    ink = readable(p.ink, p.light, p.main)
    code = t.content.get("code")
    right = 0.66 if code else 0.92
    rows = [
        f"{date_text(t.content['date'])}, {t.content['time']}",
        t.content["place"],
        f"Admission {number_text(t.content['fee'])} €",
        f"Tel. {t.content['phone']}",
    ]
    for i, row in enumerate(rows):
        c.text(
            (0.08, 0.72 + 0.066 * i, right, 0.776 + 0.066 * i), row, strong, ink, align="left", lines=1, max_size=0.045
        )
    if code:
        _qr(c, code, 0.69, 0.74, 0.26)
    return Art(weather(c.array(), e, paper=True), 29.7, 42, 0.1, "paper", p.light, p.word, 0.2)


def _lost(t: Thing, p: Palette, s: random.Random, own: random.Random, e: Edition, f: FontBox) -> Art:
    c = Canvas(1100, 1450, (250, 249, 244))
    ink = (26, 26, 30)
    typed, sign = f.pick(s.choice(["typed", "hand"]), s), f.pick("sign", s)
    c.text((0.08, 0.04, 0.92, 0.2), t.content["title"], sign, (176, 24, 24), lines=1)
    c.rect(0.22, 0.22, 0.78, 0.52, mix(p.main, (255, 255, 255), 0.55))
    icon(
        c,
        {"cat": "moon", "parakeet": "bird"}.get(t.content["what"].split()[-1], own.choice(["key", "flower", "house"])),
        0.5,
        0.37,
        0.15,
        p.main,
        p.ink,
        own,
    )
    c.text((0.08, 0.54, 0.92, 0.64), t.content["what"], typed, ink, lines=2)
    rows = [
        f"last seen {date_text(t.content['date'])}",
        f"{t.content['street']}, {t.content['town']}",
        f"Reward: {number_text(t.content['reward'])} €",
        f"Call {t.content['phone']}",
    ]
    for i, row in enumerate(rows):
        c.text((0.1, 0.66 + 0.075 * i, 0.9, 0.724 + 0.075 * i), row, typed, ink, lines=1, max_size=0.05)
    return Art(weather(c.array(), e, paper=True), 21, 27.7, 0.05, "paper", (235, 233, 225), "white", 0.1)


def _roadworks(t: Thing, p: Palette, s: random.Random, own: random.Random, e: Edition, f: FontBox) -> Art:
    c = Canvas(1500, 1150, (244, 196, 32))
    ink = (22, 22, 22)
    c.rounded(0.02, 0.026, 0.98, 0.974, 0.03, None, outline=ink, width=0.012)
    sign, strong = f.pick("sign", s), f.pick("strong", s)
    c.poly([(0.08, 0.31), (0.17, 0.09), (0.26, 0.31)], (200, 30, 24))
    c.poly([(0.11, 0.29), (0.17, 0.135), (0.23, 0.29)], (250, 250, 246))
    c.text((0.145, 0.17, 0.195, 0.29), "!", sign, ink, lines=1)
    c.text((0.29, 0.07, 0.94, 0.32), t.content["title"], sign, ink, lines=1)
    rows = [
        t.content["street"],
        f"from {date_text(t.content['from'])}",
        f"until {date_text(t.content['until'])}",
        f"Reason: {t.content['work']}",
        f"Information: {t.content['phone']}",
    ]
    for i, row in enumerate(rows):
        c.text(
            (0.08, 0.37 + 0.116 * i, 0.93, 0.465 + 0.116 * i), row, strong, ink, align="left", lines=1, max_size=0.085
        )
    return Art(weather(c.array(), e), 60, 46, 0.5, "paper", (200, 160, 30), "yellow", 0.45)


def _timetable(t: Thing, p: Palette, s: random.Random, own: random.Random, e: Edition, f: FontBox) -> Art:
    c = Canvas(1200, 1400, (250, 250, 247))
    sign, strong, text = f.pick("sign", s), f.pick("strong", s), f.pick("text", s)
    c.rect(0, 0, 1, 0.2, p.main)
    light = readable(p.main, p.light, p.ink)
    c.rounded(0.06, 0.05, 0.34, 0.15, 0.03, light)
    c.text((0.08, 0.06, 0.32, 0.14), t.content["line"], sign, readable(light, p.main, p.ink), lines=1)
    c.text((0.38, 0.045, 0.95, 0.155), t.content["title"], strong, light, align="left", lines=2)
    n = len(t.content["rows"])
    for i, (dest, times) in enumerate(t.content["rows"].items()):
        x0, x1 = 0.06 + 0.9 * i / n, 0.06 + 0.9 * (i + 1) / n - 0.02
        c.rect(x0, 0.24, x1, 0.32, mix(p.main, (255, 255, 255), 0.75))
        c.text((x0 + 0.01, 0.25, x1 - 0.01, 0.31), dest, strong, (24, 24, 28), lines=1, max_size=0.045)
        for j, time in enumerate(times):
            c.text((x0, 0.34 + 0.07 * j, x1, 0.395 + 0.07 * j), time, text, (24, 24, 28), lines=1, max_size=0.05)
    c.text((0.06, 0.86, 0.64, 0.91), f"Information {t.content['phone']}", text, (24, 24, 28), align="left", lines=1)
    if t.content.get("code"):
        _qr(c, t.content["code"], 0.72, 0.78, 0.22)
    return Art(weather(c.array(), e, paper=True), 30, 35, 0.4, "paper", (220, 220, 216), p.word, 0.4)


def _enamel(t: Thing, p: Palette, s: random.Random, own: random.Random, e: Edition, f: FontBox) -> Art:
    c = Canvas(1500, 1050, None)
    ground = s.choice([(24, 52, 110), (164, 28, 30), (20, 84, 58), (242, 240, 230), (28, 28, 32)])
    ink = readable(ground, (246, 243, 232), (28, 30, 36))
    c.rounded(0.004, 0.006, 0.996, 0.994, 0.03, ground)
    c.rounded(0.025, 0.035, 0.975, 0.965, 0.025, None, outline=ink, width=0.012)
    for x, y in ((0.06, 0.085), (0.94, 0.085), (0.06, 0.915), (0.94, 0.915)):
        c.disc(x, y, 0.014, (120, 116, 108))
        c.disc(x - 0.002, y - 0.003, 0.008, (190, 186, 178))
    sign = f.pick("sign", s)
    c.text((0.09, 0.1, 0.91, 0.55), t.content["title"], sign, ink, lines=2)
    c.rect(0.3, 0.575, 0.7, 0.583, ink)
    c.text((0.1, 0.61, 0.9, 0.71), f"FINE {number_text(t.content['fine'])} €", sign, ink, lines=1)
    c.text((0.1, 0.74, 0.9, 0.83), t.content["authority"], f.pick("text", s), ink, lines=1)
    c.text((0.35, 0.845, 0.65, 0.92), t.content["year"], f.pick("text", s), ink, lines=1)
    pixels = weather(c.array(), e)
    pixels = _rust(pixels, e)
    return Art(pixels, 45, 31.5, 0.4, "paper", mix(ground, (0, 0, 0), 0.4), "white" if ink[0] < 100 else "dark", 0.7)


def _rust(pixels: np.ndarray, e: Edition) -> np.ndarray:
    """Chipped enamel near the edges."""
    h, w = pixels.shape[:2]
    g = np.random.default_rng(e.draws.getrandbits(32))
    field = cv2.resize(g.normal(0, 1, (26, 36)).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    edge = np.minimum(np.minimum(xx, w - xx) / w, np.minimum(yy, h - yy) / h)
    mask = (field * 0.05 + 0.028 * (0.4 + e.wear) - edge) > 0.035
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 1.5)[..., None]
    out = pixels.copy()
    out[..., :3] = (pixels[..., :3] * (1 - soft) + np.array([104, 58, 32]) * soft).astype(np.uint8)
    return out


_Form = Callable[[Thing, Palette, random.Random, random.Random, Edition, FontBox], Art]
_FORMS: dict[str, _Form] = {
    "opening": _opening,
    "menu": _menu,
    "label": _label,
    "card": _card,
    "event": _event,
    "lost": _lost,
    "roadworks": _roadworks,
    "timetable": _timetable,
    "enamel": _enamel,
}
