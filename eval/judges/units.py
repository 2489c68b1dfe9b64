"""Units of measure for judging: written forms, and conversion through pint. Currencies are never converted.

Kept apart from the reader's table on purpose, as `eval.judges.values` is from its parser.
"""

from __future__ import annotations

import functools
from typing import Any

_UNITS = {
    "milligram": "mg milligram milligrams",
    "gram": "g gram grams gramme grammes",
    "kilogram": "kg kilo kilos kilogram kilograms kilogramme kilogrammes",
    "metric_ton": "t tonne tonnes",
    "ounce": "oz ounce ounces",
    "pound": "lb lbs pound pounds",
    "millimeter": "mm millimetre millimetres millimeter millimeters",
    "centimeter": "cm centimetre centimetres centimeter centimeters",
    "meter": "m metre metres meter meters",
    "kilometer": "km kilometre kilometres kilometer kilometers",
    "inch": 'in inch inches "',
    "foot": "ft foot feet",
    "yard": "yd yard yards",
    "mile": "mi mile miles",
    "milliliter": "ml millilitre millilitres milliliter milliliters",
    "centiliter": "cl centilitre centilitres",
    "liter": "l litre litres liter liters",
    "fluid_ounce": "floz",
    "gallon": "gal gallon gallons",
    "second": "s sec secs second seconds",
    "minute": "min mins minute minutes",
    "hour": "h hr hrs hour hours",
    "day": "day days",
    "week": "week weeks",
    "month": "month months",
    "year": "year years yr yrs",
    "degC": "°c ℃ celsius centigrade",
    "degF": "°f ℉ fahrenheit",
    "kilojoule": "kj kilojoule kilojoules",
    "kilocalorie": "kcal kcals calorie calories kilocalorie kilocalories",
    "watt": "w watt watts",
    "kilowatt": "kw kilowatt kilowatts",
    "horsepower": "hp horsepower",
    "watt_hour": "wh",
    "kilowatt_hour": "kwh",
    "volt": "v volt volts",
    "kilometer/hour": "km/h kmh kph",
    "mile/hour": "mph",
    "meter/second": "m/s",
    "meter**2": "m² m2 sqm",
    "centimeter**2": "cm²",
    "foot**2": "ft² sqft",
    "kilometer**2": "km²",
    "hectare": "ha hectare hectares",
    "meter**3": "m³ m3",
    "foot**3": "ft³",
    "centimeter**3": "cm³ cc",
    "mile**2": "mi²",
    "inch**2": "in²",
    "acre": "acre acres",
    "quart": "quart quarts",
    "pint": "pint pints",
    "cup": "cup cups",
    "tablespoon": "tbsp tablespoon tablespoons",
    "teaspoon": "tsp teaspoon teaspoons",
    "micrometer": "µm micron microns micrometre micrometres micrometer micrometers",
    "light_year": "light-year light-years",
    "knot": "knot knots",
    "mile/gallon": "mpg",
    "kilometer/liter": "km/l",
    "megawatt": "mw megawatt megawatts",
    "gigawatt": "gw gigawatt gigawatts",
    "ampere": "amp amps ampere amperes",
    "ampere_hour": "ah",
    "milliampere_hour": "mah",
    "hertz": "hz hertz",
    "kilohertz": "khz kilohertz",
    "megahertz": "mhz megahertz",
    "gigahertz": "ghz gigahertz",
    "megabyte": "mb megabyte megabytes",
    "gigabyte": "gb gigabyte gigabytes",
    "terabyte": "tb terabyte terabytes",
    "lumen": "lm lumen lumens",
    "pascal": "pa pascal pascals",
    "kilopascal": "kpa",
    "bar": "bar bars",
    "psi": "psi",
    "newton*meter": "nm newton-metre newton-metres newton-meter newton-meters",
    "force_pound*foot": "lb-ft lb·ft lbft ft-lb ft-lbs ftlb",
    "percent": "% percent pct",
    "money:EUR": "€ eur euro euros",
    "money:USD": "$ usd dollar dollars",
    "money:GBP": "£ gbp",
    "money:JPY": "¥ jpy yen",
    "money:CHF": "chf franc francs",
}
_FORMS = {form: unit for unit, forms in _UNITS.items() for form in forms.split()}
_OF_TWO_WORDS = {
    "floz": "fl oz|fluid ounce",
    "°c": "degree celsius|° c",
    "°f": "degree fahrenheit|° f",
    "t": "metric ton|metric tonne",
    "m²": "square metre|square meter|sq m",
    "cm²": "square centimetre|square centimeter|sq cm",
    "km²": "square kilometre|square kilometer|sq km",
    "ft²": "square foot|square feet|sq ft",
    "in²": "square inch|square inches|sq in",
    "mi²": "square mile|sq mi",
    "m³": "cubic metre|cubic meter",
    "cm³": "cubic centimetre|cubic centimeter",
    "ft³": "cubic foot|cubic feet",
    "mph": "mile per hour|miles per hour|mile an hour|miles an hour",
    "km/h": "kilometre per hour|kilometres per hour|kilometer per hour|kilometers per hour|kilometre an hour"
    "|kilometres an hour|"
    "kilometer an hour|kilometers an hour",
    "m/s": "metre per second|metres per second|meter per second|meters per second",
    "mpg": "mile per gallon|miles per gallon",
    "km/l": "kilometer per liter|kilometers per liter|kilometre per litre|kilometres per litre",
    "light-year": "light year",
    "mah": "milliamp hour|milliampere hour",
    "ah": "amp hour|ampere hour",
    "wh": "watt hour",
    "kwh": "kilowatt hour",
    "nm": "newton metre|newton meter",
    "lb-ft": "pound foot|pound feet|foot pound",
    "%": "per cent",
}


def _two_words() -> dict[str, str]:
    """Every form of two words or more, in the singular, the plural and with hyphens."""
    singular = {form: unit for unit, forms in _OF_TWO_WORDS.items() for form in forms.split("|")}
    plural = {f"{form}s": unit for form, unit in singular.items()}
    both = singular | {form.replace("degree ", "degrees "): unit for form, unit in singular.items()} | plural
    return {written: unit for form, unit in both.items() for written in (form, form.replace(" ", "-"))}


_TWO_WORDS = _two_words()

#: Every form a unit is looked for in, longest first.
WRITTEN_FORMS = tuple(sorted((*_TWO_WORDS, *_FORMS), key=len, reverse=True))


def canonical_unit(form: str | None) -> str | None:
    """The canonical unit of a written form; the form itself when it is none that is known; None for None."""
    if form is None or not form.strip():
        return None
    low = " ".join(form.lower().split())
    return _FORMS.get(_TWO_WORDS.get(low, low), low)


def is_unit(word: str) -> bool:
    """Whether a lower-case word is a written form of a unit."""
    return word in _FORMS


@functools.cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(cache_folder=None)


@functools.cache
def _line(unit: str, target: str) -> tuple[float, float] | None:
    """`target` = factor · `unit` + offset; None when they measure different things."""
    if unit == target:
        return 1.0, 0.0
    if ":" in unit or ":" in target:
        return None
    import pint

    registry = _registry()
    try:
        at = [registry.Quantity(x, registry.Unit(unit)).to(registry.Unit(target)).magnitude for x in (0.0, 1.0)]
    except (pint.PintError, ValueError, AttributeError, TypeError):
        return None
    return at[1] - at[0], at[0]


def convert(value: float, unit: str | None, target: str | None) -> float | None:
    """`value` in another unit; None when the two measure different things (currencies are never converted)."""
    if unit is None or target is None:
        return value if unit == target else None
    line = _line(unit, target)
    return None if line is None else value * line[0] + line[1]
