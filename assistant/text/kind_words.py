"""Everyday words for things, and the words in a thing's facts that speak of its kind.

Written from what things are called and what is said of them in general; `assistant.text.kinds` decides with them.
A kind is a row of the table below: words for the thing as a whole, groups of words of which each names one sort of it
(words of a group mean the same), and a pattern of words that facts about such things contain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "book",
    "food",
    "device",
    "sign",
    "vehicle",
    "building",
    "plant",
    "animal",
    "clothing",
    "sport",
    "furniture",
    "stone",
    "emblem",
    "lecture",
    "substance",
]


@dataclass(frozen=True)
class KindWords:
    """How a kind is spoken of. `general` can be said of any of the kind; of `sorts` only one group fits a thing."""

    general: frozenset[str]
    sorts: tuple[frozenset[str], ...]
    facts: re.Pattern[str]


def words_of(text: str) -> frozenset[str]:
    """Words written one after the other."""
    return frozenset(text.split())


def _facts(facts: str) -> re.Pattern[str]:
    """Whole words or beginnings (with a star)."""
    stems = "|".join(re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", " ") for word in facts.split(", "))
    return re.compile(rf"\b(?:{stems})\b")


def _kind(general: str, sorts: str, facts: str) -> KindWords:
    """`sorts` is groups separated by commas, `facts` as `_facts` has them."""
    groups = tuple(words_of(group) for group in sorts.split(",") if group.strip())
    return KindWords(words_of(general), groups, _facts(facts))


KINDS: dict[Kind, KindWords] = {
    "book": _kind(
        "book novel paperback hardback volume storybook",
        "",
        "author, writer, written, isbn, page*, chapter*, novel, translat*, illustrat*, paperback, genre, pub date, "
        "published, setting, set in, copies printed, dedication",
    ),
    "food": _kind(
        "jar tin can snack food soup jam sweets cereal spread box pack package carton packet bag sachet pouch",
        "",
        "ingredient*, allergen*, kcal*, calorie*, energy per, sugar*, serving*, portion*, nutrition, flavour*, "
        "flavor*, recipe*, organic, best before*, shelf life, net wt, net mass, net weight, keep below, once opened, "
        "storage temp*",
    ),
    "device": _kind(
        "device gadget appliance machine tool box pack package carton packet",
        "radio,clock,watch,lamp light lantern,torch flashlight,kettle teapot,toaster,phone,camera,speaker,"
        "headphones headset,drill screwdriver,heater,mixer,blender,dryer hairdryer,razor shaver,monitor,keyboard,"
        "mouse,router,printer,projector,pump,vacuum hoover,alarm,charger,thermometer,microscope,telescope,fan,iron,saw",
        "battery*, power draw, rated power, wattage, voltage, runtime, noise, sound level, waterproof, splash proof, "
        "model, assembled, display, in the box, included items, magnif*, max power, speed no load, no load speed, "
        "chuck*, dimmable, cord*, durability h, hobs, suitable hobs, time to boil, whistle, has whistle, dw safe, "
        "warranty",
    ),
    "sign": _kind(
        "sign notice poster placard leaflet flyer blackboard card label menu timetable",
        "",
        "sign, notice, poster, menu, timetable, opening hours, business card, leaflet",
    ),
    "vehicle": _kind(
        "vehicle",
        "car automobile saloon hatchback,van,lorry truck,bus coach,tram streetcar trolley railcar,"
        "train locomotive railcar,bicycle bike cycle,motorcycle motorbike,"
        "scooter moped,boat ship yacht vessel barge ferry sailboat,plane",
        "fuel*, engine*, motor kw, speeds, brake*, tyre*, seats, num seats, standing places, low floor, unladen*, "
        "boot volume, cargo*, v max, acc*, operator, terminus, route, line length, port*, draught, displacement, "
        "skipper, crew, hull*, breadth, gears, drivetrain, wheel diameter, marque, mass empty, reach, tubing, halts",
    ),
    "building": _kind(
        "building landmark monument structure sight",
        "tower belfry steeple spire,bridge viaduct footbridge,temple church chapel cathedral shrine,castle fortress,"
        "fountain,statue sculpture,lighthouse,palace,windmill mill",
        "architect*, restor*, renovat*, visitor*, annual visitors, heritage*, listed, entry fee, admission, chime, "
        "bells, upkeep, maintained by, built, built of, construction year, basin*, water volume, span*, crossings*, "
        "municipality, custodian, consecrated, closing day, closed on, above water",
    ),
    "plant": _kind(
        "plant",
        "flower blossom bloom,tree,shrub bush hedge,cactus,fern,herb,grass,houseplant",
        "flower*, bloom*, sprouts*, pests, susceptible*, nursery, breeder, raised by, raised in, planting*, spacing, "
        "poisonous, toxic, companions, goes with, light need, leaf*, seeds*, ripens*, harvest, fertilise*, prun*, "
        "hybridiser, min temperature, sun, soil, hardiness",
    ),
    "animal": _kind(
        "animal creature pet breed",
        "dog hound puppy,cat kitten,cow bull calf cattle,horse pony foal,sheep lamb,goat,pig,bird parrot owl,"
        "fish,rabbit",
        "lifespan, life expectancy, lives up to, gestation, eats, diet, food, range, habitat, litter, young*, herd*, "
        "milk*, daily yield, pasture, grazes*, sleep*, brood*, wing*, flight*, species, hatches*, tank*, native to, "
        "incubation*, adult weight, adult mass, population*, stands, first breeder, top speed, "
        "running speed, conservation*",
    ),
    "clothing": _kind(
        "garment clothes clothing outfit accessory",
        "shoe boot trainer sneaker,shirt tshirt tee,jumper sweater pullover,dress gown,skirt,jacket coat,"
        "trousers pants jeans,hat cap beanie,scarf,glove,handbag purse bag,belt,sock",
        "fabric, fashion*, sizes, available sizes, size run, sole*, lace*, lining, lined*, "
        "fastening, stitched*, wash*, machine washable, recycled*, colourways, hat size*, head circumference, "
        "pockets, num pockets, back length, compartments, handle drop, print artist, collection date, workshop town",
    ),
    "sport": _kind(
        "toy",
        "game puzzle,ball football,racket racquet,skateboard longboard,kite,bat,frisbee,ski skis,box",
        "players*, age from, playing time, play time, inventor, rules*, solo mode, add ons, card count, endorsed*, "
        "competition*, panels, seam*, girth, string*, head size, face area, deck*, max wind, best flight, tail, "
        "supplied with",
    ),
    "furniture": _kind(
        "furniture",
        "chair armchair seat,stool,sofa couch,bench,cupboard wardrobe,bed",
        "stackable, cover colours, wood, upholster*, load limit, seat height",
    ),
    "stone": _kind(
        "mineral stone rock crystal gem gemstone specimen geode",
        "",
        "mohs, hardness, find depth, found at, age ma, formed*, uv reaction, associated minerals, lustre, crystal*, "
        "discovery year, max dim",
    ),
    "emblem": _kind(
        "emblem",
        "arms crest shield,banner flag pennant,medal decoration order,stamp",
        "motto, granted*, grant date, grantor, bearer, blazon, device, occasions, face value, perf*, per sheet, "
        "engraver, first day, self adhesive, printing house, struck*, mint, criteria, awarded*, handed over*, "
        "original at, repository, postal*, issue date, prize money",
    ),
    "lecture": _kind(
        "slide lecture",
        "",
        "lecturer, slides, slide count, num slides, syllabus, topics, tuition, attendance, audience*, proof*, "
        "year of proof, exam*, problem set*, video available, course*",
    ),
    "substance": _kind(
        "molecule compound chemical substance",
        "",
        "molar mass, melting point, boiling point, bp, flammable, solubility*, odour, odor, discoverer, "
        "particles per molecule, first isolated*, max daily intake, formula",
    ),
}

#: What is said of one sort of a kind and of no other: a kind → a word of the sort → its facts.
SORT_FACTS: dict[Kind, dict[str, re.Pattern[str]]] = {kind: {} for kind in KINDS} | {
    "vehicle": {
        "car": _facts("fuel*, consumption, engine*, motor, motor kw, boot, boot volume, luggage*, doors, acc*"),
        "bus": _facts("standing places, low floor, stops, halts, terminus, end of line, route, line length"),
        "bicycle": _facts("gears, speeds, drivetrain, wheel dia*, tubing, tyre mm, tyre width, saddle, pedals"),
        "boat": _facts("draught, draft, displacement, skipper, hull*, crew, home port, port, mast*, fresh water*"),
    },
    "animal": {
        "dog": _facts("litter*, coat, gestation, walks*"),
        "cow": _facts("milk*, daily yield, pasture, grazes*, herd*"),
        "bird": _facts("wing*, brood*, hatch*, eggs, clutch*, flight*, song, nest*"),
        "fish": _facts("tank*, water hardness, ph, salinity"),
    },
    "building": {
        "tower": _facts("bells, bell, chime*, steps"),
        "bridge": _facts("span*, crossings*, above water, arches, lanes"),
        "temple": _facts("consecrated, worship*, prayer*, priest*, services"),
        "fountain": _facts("basin*, water volume, coin*, jets"),
    },
}
