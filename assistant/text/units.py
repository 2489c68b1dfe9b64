"""Units of measure: from written forms ("kilos", "sq ft", "°F") to pint units, their dimension and conversion.

Covers everyday English writing of units and world currencies; a unit it does not know is left to the caller, who treats
the word as the noun that is counted ("24 teeth"). Currencies are never converted into each other.
"""

from __future__ import annotations

import functools
import re
from typing import Any

#: pint unit → (dimension, written forms). Forms are matched without regard to case unless they are single letters.
_TABLE: dict[str, tuple[str, str]] = {
    "milligram": ("mass", "mg milligram milligrams milligramme milligrammes"),
    "gram": ("mass", "g gr gram grams gramme grammes gms"),
    "kilogram": ("mass", "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes"),
    "metric_ton": ("mass", "t tonne tonnes ton tons"),
    "ounce": ("mass", "oz ozs ounce ounces"),
    "pound": ("mass", "lb lbs pound pounds"),
    "stone": ("mass", "stone stones"),
    "micrometer": ("length", "µm μm micron microns micrometre micrometres"),
    "millimeter": ("length", "mm millimetre millimetres millimeter millimeters"),
    "centimeter": ("length", "cm cms centimetre centimetres centimeter centimeters"),
    "meter": ("length", "m metre metres meter meters"),
    "kilometer": ("length", "km kms kilometre kilometres kilometer kilometers"),
    "inch": ("length", "in inch inches ″"),
    "foot": ("length", "ft foot feet ′"),
    "yard": ("length", "yd yds yard yards"),
    "mile": ("length", "mi mile miles"),
    "nautical_mile": ("length", "nmi"),
    "millimeter**2": ("area", "mm² mm2"),
    "centimeter**2": ("area", "cm² cm2 sqcm"),
    "meter**2": ("area", "m² m2 sqm"),
    "kilometer**2": ("area", "km² km2 sqkm"),
    "foot**2": ("area", "ft² ft2 sqft"),
    "inch**2": ("area", "in²"),
    "mile**2": ("area", "mi² sqmi"),
    "hectare": ("area", "ha hectare hectares"),
    "acre": ("area", "acre acres"),
    "milliliter": ("volume", "ml millilitre millilitres milliliter milliliters cc"),
    "centiliter": ("volume", "cl centilitre centilitres centiliter centiliters"),
    "deciliter": ("volume", "dl decilitre decilitres deciliter deciliters"),
    "liter": ("volume", "l litre litres liter liters ltr"),
    "centimeter**3": ("volume", "cm³ cm3"),
    "meter**3": ("volume", "m³ m3"),
    "gallon": ("volume", "gal gallon gallons"),
    "pint": ("volume", "pint pints"),
    "quart": ("volume", "quart quarts qt"),
    "cup": ("volume", "cup cups"),
    "tablespoon": ("volume", "tbsp tablespoon tablespoons"),
    "teaspoon": ("volume", "tsp teaspoon teaspoons"),
    "fluid_ounce": ("volume", "floz"),
    "millisecond": ("time", "ms millisecond milliseconds"),
    "second": ("time", "s sec secs second seconds"),
    "minute": ("time", "min mins minute minutes"),
    "hour": ("time", "h hr hrs hour hours"),
    "day": ("time", "day days"),
    "week": ("time", "week weeks wk wks"),
    "month": ("time", "month months"),
    "year": ("time", "year years yr yrs"),
    "decade": ("time", "decade decades"),
    "century": ("time", "centuries"),
    "degC": ("temperature", "°c ℃ celsius centigrade degc"),
    "degF": ("temperature", "°f ℉ fahrenheit degf"),
    "kelvin": ("temperature", "kelvin"),
    "joule": ("energy", "joule joules"),
    "kilojoule": ("energy", "kj kilojoule kilojoules"),
    "kilocalorie": ("energy", "kcal kcals calorie calories cal cals kilocalorie kilocalories"),
    "watt_hour": ("energy", "wh"),
    "kilowatt_hour": ("energy", "kwh"),
    "milliwatt": ("power", "mw_"),
    "watt": ("power", "w watt watts"),
    "kilowatt": ("power", "kw kilowatt kilowatts"),
    "megawatt": ("power", "mw megawatt megawatts"),
    "horsepower": ("power", "hp bhp horsepower"),
    "volt": ("voltage", "v volt volts"),
    "ampere": ("current", "amp amps ampere amperes"),
    "milliampere_hour": ("charge", "mah"),
    "kilometer/hour": ("speed", "km/h kmh kph kmph"),
    "mile/hour": ("speed", "mph mi/h"),
    "meter/second": ("speed", "m/s"),
    "knot": ("speed", "knot knots kn"),
    "hertz": ("frequency", "hz hertz"),
    "kilohertz": ("frequency", "khz"),
    "megahertz": ("frequency", "mhz"),
    "gigahertz": ("frequency", "ghz"),
    "revolutions_per_minute": ("frequency", "rpm"),
    "megabyte": ("data", "mb megabyte megabytes"),
    "gigabyte": ("data", "gb gigabyte gigabytes"),
    "terabyte": ("data", "tb terabyte terabytes"),
    "newton_meter": ("torque", "nm"),
    "bar": ("pressure", "bar"),
    "psi": ("pressure", "psi"),
    "degree": ("angle", "° degree degrees deg"),
    "percent": ("percent", "% percent pct"),
    "decibel": ("loudness", "db decibel decibels"),
    "lumen": ("light", "lm lumen lumens"),
}
_CURRENCY: dict[str, str] = {
    "USD": "$ us$ usd dollar dollars buck bucks",
    "EUR": "€ eur euro euros",
    "GBP": "£ gbp quid",
    "JPY": "¥ jpy yen",
    "INR": "₹ inr rupee rupees",
    "CHF": "chf francs franc",
    "cent": "¢ cent cents",
    "pence": "pence",
    "SEK": "sek kr krona kronor",
    "PLN": "pln zł",
}
_FORMS: dict[str, tuple[str, str]] = {
    **{form: (unit, dim) for unit, (dim, forms) in _TABLE.items() for form in forms.split()},
    **{form: (unit, "money") for unit, forms in _CURRENCY.items() for form in forms.split()},
}
_SYMBOLS = "$€£¥₹¢"
_JOINED = {
    "fl oz": "floz",
    "fluid ounce": "floz",
    "fluid ounces": "floz",
    "square metres": "m²",
    "square meters": "m²",
    "square metre": "m²",
    "square meter": "m²",
    "square feet": "ft²",
    "square foot": "ft²",
    "sq ft": "ft²",
    "sq m": "m²",
    "square kilometres": "km²",
    "square kilometers": "km²",
    "sq km": "km²",
    "square miles": "mi²",
    "square inches": "in²",
    "square centimetres": "cm²",
    "cubic metres": "m³",
    "cubic meters": "m³",
    "cubic centimetres": "cm³",
    "cubic centimeters": "cm³",
    "nautical miles": "nmi",
    "miles per hour": "mph",
    "kilometres per hour": "km/h",
    "kilometers per hour": "km/h",
    "metres per second": "m/s",
    "degrees celsius": "°c",
    "degrees fahrenheit": "°f",
    "degree celsius": "°c",
    "° c": "°c",
    "° f": "°f",
    "kilowatt hours": "kwh",
    "watt hours": "wh",
    "per cent": "%",
}


def _alternatives(forms: list[str]) -> str:
    return "|".join(re.escape(f) for f in sorted(forms, key=len, reverse=True))


#: A written unit directly after a number; longest form first, not running on into a longer word.
UNIT_PATTERN = (
    r"(?:" + _alternatives([f for f in (*_JOINED, *_FORMS) if not f.endswith("_")]) + r")(?![A-Za-z²³\d/])(?!['’]s\b)"
)
CURRENCY_SIGNS = re.escape(_SYMBOLS)


def unit_of(form: str) -> tuple[str, str] | None:
    """(pint unit or currency, dimension) of a written form, or None when it is not a unit."""
    form = " ".join(form.strip().split())
    if form == "mW":
        return "milliwatt", "power"
    low = form.lower().rstrip(".")
    low = _JOINED.get(low, low)
    if len(form) == 1 and form.isalpha() and form.isupper() and form not in "WVL":
        return None
    return _FORMS.get(low)


@functools.cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(cache_folder=None)


def dimension_of(unit: str) -> str:
    """Dimension name of a pint unit or currency as `unit_of` returns it; "" for an unknown one."""
    if unit in _TABLE:
        return _TABLE[unit][0]
    return "money" if unit in _CURRENCY else ""


def convert(number: float, unit: str, target: str) -> float | None:
    """`number` `unit` in `target` (both as `unit_of` names them); None when that is impossible."""
    if unit == target:
        return number
    if unit not in _TABLE or target not in _TABLE or dimension_of(unit) != dimension_of(target):
        return None
    if unit in ("percent", "decibel"):
        return None
    if unit == "decade":  # pint's is a logarithmic unit
        return convert(10 * number, "year", target)
    if target == "decade":
        years = convert(number, unit, "year")
        return None if years is None else years / 10
    registry = _registry()
    return float(registry.Quantity(number, registry.parse_units(unit)).to(registry.parse_units(target)).magnitude)


_WRITTEN = {
    "milligram": "mg",
    "gram": "g",
    "kilogram": "kg",
    "metric_ton": "t",
    "ounce": "oz",
    "pound": "lb",
    "millimeter": "mm",
    "centimeter": "cm",
    "meter": "m",
    "kilometer": "km",
    "foot": "ft",
    "milliliter": "ml",
    "centiliter": "cl",
    "liter": "l",
    "fluid_ounce": "fl oz",
    "degC": "°C",
    "degF": "°F",
    "kilojoule": "kJ",
    "kilocalorie": "kcal",
    "watt_hour": "Wh",
    "kilowatt_hour": "kWh",
    "watt": "W",
    "kilowatt": "kW",
    "horsepower": "hp",
    "kilometer/hour": "km/h",
    "mile/hour": "mph",
    "meter/second": "m/s",
    "percent": "%",
    "meter**2": "m²",
    "centimeter**2": "cm²",
    "kilometer**2": "km²",
    "foot**2": "sq ft",
    "meter**3": "m³",
}


def written(unit: str, number: float) -> str:
    """How a unit is written after `number` in an answer."""
    if unit in _WRITTEN:
        return _WRITTEN[unit]
    if unit in _TABLE:
        return (unit if number == 1 else _PLURALS.get(unit, unit + "s")).replace("_", " ")
    return unit


_PLURALS = {"inch": "inches", "foot": "feet", "century": "centuries"}
_SPOKEN = {
    "degC": ("degree Celsius", "degrees Celsius"),
    "degF": ("degree Fahrenheit", "degrees Fahrenheit"),
    "metric_ton": ("ton", "tons"),
    "USD": ("dollar", "dollars"),
    "EUR": ("euro", "euros"),
    "GBP": ("pound", "pounds"),
    "JPY": ("yen", "yen"),
    "INR": ("rupee", "rupees"),
    "CHF": ("franc", "francs"),
    "SEK": ("krona", "kronor"),
    "PLN": ("zloty", "zlotys"),
    "percent": ("percent", "percent"),
    "hertz": ("hertz", "hertz"),
    "horsepower": ("horsepower", "horsepower"),
}


def unit_words(unit: str, *, one: bool) -> str:
    """A unit or currency (as `unit_of` names it) in the words that are said after a number: "square meters"."""
    if unit in _SPOKEN:
        return _SPOKEN[unit][not one]
    counted, _, per = unit.partition("/")
    name, _, power = counted.partition("**")
    words = (name if one else _PLURALS.get(name, name + "s")).replace("_", " ")
    words = {"2": "square ", "3": "cubic "}.get(power, "") + words
    return f"{words} per {per.replace('_', ' ')}" if per else words


def plain_number(number: float) -> str:
    """340.0 → "340", 1234567.0 → "1,234,567", 12.3456 → "12.35" (three significant digits are kept at least)."""
    if abs(number - round(number)) < 1e-9 or abs(number) >= 1000:
        rounded = round(number)
        return str(rounded) if abs(rounded) < 10000 else f"{rounded:,}"
    digits = 2 if abs(number) >= 1 else 3
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")
