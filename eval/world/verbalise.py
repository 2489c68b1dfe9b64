"""Typed values as words: for answers (one plain form), for pages (many forms), for dirty knowledge-graph attributes."""

from __future__ import annotations

import random
from datetime import date

from eval.world.model import Value

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
UNIT_WORDS = {"month": ("month", "months"), "day": ("day", "days"), "h": ("hour", "hours"), "year": ("year", "years")}


def number_text(x: float, *, grouped: bool = True) -> str:
    """12400 → "12,400"; 3.5 → "3.5"; years must not come here."""
    if float(x).is_integer():
        return f"{int(x):,}" if grouped else str(int(x))
    return f"{x:,.3f}".rstrip("0").rstrip(".")


def money(x: float) -> str:
    return f"{x:.2f} euros" if not float(x).is_integer() else f"{int(x)} euros"


def date_text(iso: str) -> str:
    """ "1987-05-12" → "12 May 1987"; "1987-05" → "May 1987"; "1987" → "1987"."""
    parts = [int(p) for p in iso.split("-")]
    if len(parts) == 1:
        return str(parts[0])
    if len(parts) == 2:
        return f"{MONTHS[parts[1] - 1]} {parts[0]}"
    return f"{parts[2]} {MONTHS[parts[1] - 1]} {parts[0]}"


def listed(items: tuple[str, ...] | list[str]) -> str:
    """ "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]


def say(value: Value) -> str:
    """The plain form, used in answers."""
    if value.kind == "number":
        return _quantity(float(value.value), value.unit)
    if value.kind == "date":
        return date_text(value.value)
    if value.kind == "list":
        return listed(value.value)
    if value.kind == "yesno":
        return "yes" if value.value else "no"
    return str(value.value)


def _quantity(x: float, unit: str | None) -> str:
    if unit == "EUR":
        return money(x)
    if unit in UNIT_WORDS:
        return f"{number_text(x)} {UNIT_WORDS[unit][0 if x == 1 else 1]}"
    return number_text(x) + (f" {unit}" if unit else "")


def say_on_page(value: Value, random_: random.Random) -> str:
    """One of the forms that people write: other units, other date orders, signs instead of words."""
    if value.kind == "number":
        return _quantity_on_page(float(value.value), value.unit, random_)
    if value.kind == "date" and value.value.count("-") == 2:
        d = date.fromisoformat(value.value)
        month = MONTHS[d.month - 1]
        return random_.choice([f"{d.day} {month} {d.year}", f"{month} {d.day}, {d.year}", f"{d.day}. {month} {d.year}"])
    return say(value)


def _quantity_on_page(x: float, unit: str | None, random_: random.Random) -> str:
    if unit == "EUR":
        return random_.choice([f"€{x:.2f}", f"{x:.2f} €", f"EUR {x:.2f}", money(x)])
    if unit == "g" and x >= 1000 and random_.random() < 0.6:
        return random_.choice([f"{number_text(x / 1000)} kg", f"{number_text(x / 1000)} kilograms"])
    if unit == "g" and random_.random() < 0.4:
        return f"{number_text(x)} grams"
    if unit == "cm" and random_.random() < 0.3:
        return random_.choice([f"{number_text(x * 10)} mm", f"{number_text(x)} centimetres"])
    if unit == "month" and x % 12 == 0 and random_.random() < 0.6:
        return f"{int(x // 12)} year{'s' if x > 12 else ''}"
    if unit == "W" and random_.random() < 0.4:
        return f"{number_text(x)} watts"
    if unit == "m" and random_.random() < 0.5:
        return f"{number_text(x)} metres"
    return _quantity(x, unit)


def dirty(value: Value, random_: random.Random) -> object:
    """As attributes look in the knowledge graph: templates, links, HTML, plain text."""
    if value.kind == "yesno":
        return random_.choice(["Yes", "yes", "{{yes}}"] if value.value else ["No", "no", "{{no}}"])
    if value.kind == "number":
        return _dirty_number(float(value.value), value.unit, random_)
    if value.kind == "date":
        return _dirty_date(value.value, random_)
    if value.kind == "list":
        items = list(value.value)
        forms = [", ".join(items), "<br />".join(items), "{{hlist|" + "|".join(items) + "}}"]
        forms.append("{{plainlist|\n" + "\n".join(f"* {i}" for i in items) + "\n}}")
        return random_.choice(forms)
    text = str(value.value)
    if value.target is not None:
        return random_.choice([text, text, f"[[{text}]]", f"[[{text}|{text}]]", f"{{{{nowrap|{text}}}}}"])
    return random_.choice([text, text, f"[[{text}]]", f"<small>{text}</small>"])


def _dirty_number(x: float, unit: str | None, random_: random.Random) -> str:
    if unit == "EUR":
        return random_.choice([f"€{x:.2f}", f"{x:.2f} EUR", f"{{{{EUR|{x:.2f}}}}}", f"{x:.2f}&nbsp;€"])
    if unit is None:
        return random_.choice([number_text(x, grouped=False), number_text(x), f"{{{{formatnum:{int(x)}}}}}"])
    n = number_text(x, grouped=False)
    word = UNIT_WORDS[unit][1] if unit in UNIT_WORDS else unit
    other = {"g": "oz", "cm": "in", "W": "hp", "m": "ft", "°C": "°F"}.get(unit)
    forms = [f"{n} {word}", f"{n}&nbsp;{word}", f"{n} {word}"]
    if other:
        forms.append(f"{{{{convert|{n}|{unit.lstrip('°')}|{other.lstrip('°')}|abbr=on}}}}")
    else:
        forms.append(f"{{{{val|{n}|u={word}}}}}")
    return random_.choice(forms)


def _dirty_date(iso: str, random_: random.Random) -> str:
    parts = iso.split("-")
    if len(parts) == 3:
        y, m, d = (int(p) for p in parts)
        return random_.choice(
            [date_text(iso), iso, f"{{{{start date|{y}|{m}|{d}|df=y}}}}", f"{MONTHS[m - 1]} {d}, {y}"]
        )
    if len(parts) == 2:
        return random_.choice([date_text(iso), f"{{{{start date|{int(parts[0])}|{int(parts[1])}}}}}"])
    return random_.choice([iso, f"{{{{start date|{iso}}}}}", iso])
