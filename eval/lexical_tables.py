"""Words that mean the same, the opposite, or nothing, for the lexical judge. Everyday English, written by hand.

A group stands for one meaning; the first word stands for the group. Words are looked up as they are written and as
their stems (`eval.lexical_words`). Not a thesaurus: only what answers about things seen keep exchanging.
"""

from __future__ import annotations

_STOP_TEXT = """
a an the this that these those it its they them their he she his her him hers i you your we our us my me one
ones is are was were be been being am do does did done doing have has had having can could will would shall
should may might must of in on at to from by with for as into onto over under about around approximately roughly
nearly almost up upto per and or but nor so than then there here if when while who whom whose which what where
why how also too very quite rather just only even still yet such both each every any some all more most other
others another same pm own not no yes out off down during between among through until till after before since
because though although however therefore thus usually typically generally often sometimes commonly mostly
mainly primarily especially really actually likely probably possibly perhaps maybe called known named include
includes including included consist consists comprise comprises etc eg ie well like look looks seem seems appear
appears get gets got make makes made making take takes took taken come comes came go goes went use uses used
using give gives given provide provides provided image picture photo photograph shown shows show depicted kind
type sort thing things object item items available different various certain specific total currently now today
ca im ive id ill lets let put say says said according based answer question exactly precisely specifically ever
never anymore sure certainly indeed respectively worth way ways able part parts away words
"""
STOP = frozenset(_STOP_TEXT.split())

_SAME = """
small tiny little mini miniature petite compact
large big huge great massive substantial sizable
daily everyday day-to-day
add accumulate accrue sum
quick fast rapid swift
begin start commence initial onset
finish end complete conclude
buy purchase obtain acquire
cost price priced costs sell sells sold retail
car automobile vehicle
film movie
author writer wrote written write pen penned
create created creator make maker manufacture manufacturer manufactured produce produced producer
invent invented inventor invention
design designed designer architect
discover discovered discovery find found
build built construct construction constructed erect erected building
immediately once instantly straightaway
leave exit evacuate get-out
wash clean washing cleaning
need require requirement
prefer like favor favour love thrive
avoid prevent
help aid assist
safe harmless nontoxic non-toxic
toxic poisonous poison venomous venom
illness disease sickness
doctor physician
child kid
baby infant
home house
street road
store shop retailer
atmosphere atmospheric air
press push
hold keep
tighten tightening fasten
connect join attach link
carry transport haul
damage harm injure injury
sun sunlight sunny
shade shady shadow
winter wintertime
summer summertime
autumn fall
young juvenile
old elderly aged
dissolve dissolved disband disbanded cease ceased
location locate located place site situated
near nearby close
country nation
capital capitol
color colour hue
center centre
gray grey
flavor flavour taste
yes yeah
couch sofa
cellphone phone smartphone mobile
fries chips
soccer football
reddish red
brownish brown
yellowish yellow
greenish green
bluish blue
solo single-player alone
wear wore worn
win won winner victory
show display exhibit
free gratis complimentary
kill killed slay
die died death
born birth
common frequent widespread
rare scarce uncommon
beautiful pretty
strong powerful
weak feeble
dangerous hazardous unsafe
decrease reduce decline lower lessen reduction lowering
increase raise improve grow growth boost rise enhance improvement enhancement
reason cause purpose
job work occupation profession
meal dish food
fix repair mend
throw toss
choose select pick
simple easy effortless ease
hard difficult
maneuverability manoeuvrability maneuver movement
advantage benefit pro
disadvantage drawback con downside
protect protection guard shield
resist resistant resistance proof
rechargeable recharge recharged
tumble tumbling
dry drying dried
machine washer
gas gasoline petrol
truck lorry
apartment flat
elevator lift
pants trousers
sneaker trainer
cookie biscuit
hp horsepower
kcal calorie
wealthy rich
contain contains containing
odor smell scent aroma fragrance
rotten spoiled bad rot
usa us america american
uk britain british
thailand thai
denmark danish dane
switzerland swiss
germany german
france french
italy italian
spain spanish
japan japanese
china chinese
korea korean
india indian
mexico mexican
brazil brazilian
sweden swedish
greece greek
ireland irish
turkey turkish
russia russian
poland polish
portugal portuguese
netherlands dutch holland
egypt egyptian
canada canadian
australia australian
vietnam vietnamese
europe european
africa african
asia asian
first 1st
second 2nd
third 3rd
goalkeeper goalie keeper
north northern
south southern
east eastern
west western
medicine medication drug
swim swimming
eat feed consume edible eaten
human people person
woman female lady
man male gentleman
acidic acid
alkaline basic
quick speedy
ocean sea
rock stone
wood wooden timber
forest woodland
infuse infusion steep
big bigger
nut nuts
cm centimetre
grow grown growing
sport sports athletic
sing sang sung
begin began begun
drive drove driven
possess owns owned owner ownership
lose loses lost losing shed sheds
keep keeps kept
meet met meets
become became becomes
hold held holds
lead led leads
send sent sends
teach taught
see saw seen
give gave given
speak spoke spoken
steal stole stolen
think thought
catch caught
bring brought
fight fought
rise rose risen
run ran runs
feed fed feeds
spend spent
pay paid pays
know knew known
throw threw thrown
break broke broken
freeze froze frozen
shoot shot
strike struck
lay laid lays
fly flies flew flown flight
moist damp
go gone went
spread spreading
"""

#: word → the first word of its group.
SAME = {word: line.split()[0] for line in reversed(_SAME.strip().splitlines()) for word in line.split()}

_OPPOSITE = """
small|large
more|less fewer
high higher highest up|low lower lowest down
heavy heavier heaviest|light lighter lightest
old older oldest earlier elder|new newer newest young younger youngest later
long longer longest|short shorter shortest
tall taller tallest|short shorter shortest
big bigger biggest larger largest greater|small smaller smallest
expensive pricier dearer costlier dearest costly|cheap cheaper cheapest affordable
fast faster fastest quicker quickest|slow slower slowest
strong stronger strongest|weak weaker weakest
hot hotter hottest warm warmer|cold colder coldest cool cooler
thick thicker thickest|thin thinner thinnest
wide wider widest|narrow narrower narrowest
most maximum|least minimum fewest
left|right
top upper above|bottom lower below
front|back rear
inside indoors|outside outdoors
open opened|closed shut
before|after
first|last
begin|finish
wet moist damp|dry arid
hard|soft
rough|smooth
acidic|alkaline
toxic|safe
male|female
entrance entry|exit ausgang
tighten|loosen
increase|decrease
add|remove
allowed permitted|prohibited forbidden
north|south
east|west
shade indirect|direct
lock|unlock
push|pull
rich|poor
best better|worst worse
rare|common
deciduous|evergreen
domestic|wild
annual|perennial
white|black
even|odd
positive|negative
empty|full
win|lose
keep|lose
round|square
import|export
buy|sell
love|hate
advantage|disadvantage
nocturnal|diurnal
sweet|sour bitter
healthy healthier|unhealthy unhealthier
live alive|dead
carnivore|herbivore
always|never
outdoor|indoor
major|minor
manual|automatic
optional|standard mandatory required
"""


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _OPPOSITE.strip().splitlines():
        one, two = (side.split() for side in line.split("|"))
        for words, others in ((one, two), (two, one)):
            for word in words:
                found.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in found.items()}


#: word → the words that say the opposite.
OPPOSITE = _opposites()
