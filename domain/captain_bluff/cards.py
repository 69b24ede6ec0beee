"""The cards of Captain Bluff. Rules: captain_bluff, Cards."""

CITIES = ("HKG", "HNL", "SFO")
LOW, HIGH = 1, 17
BELTS = 6

BAGS = tuple([f"{city}-{number}" for city in CITIES for number in range(LOW, HIGH + 1)])
"""The 51 bags in the order before shuffling: HKG 1 to 17, HNL, SFO."""

WORLD = "AROUND_THE_WORLD"
REVERSE = "REVERSE"
NOTICE = "NOTICE_BOARD"
DELAYED = "DELAYED_FLIGHT"

AIRPORT_COUNTS = {WORLD: 4, REVERSE: 4, NOTICE: 3, DELAYED: 3}
"""How often each Airport card exists: 14 are certain, the split is a ruling. Rules: captain_bluff R1."""

AIRPORT = tuple([card for card, count in AIRPORT_COUNTS.items() for _ in range(count)])
"""The 14 Airport cards in the order before shuffling."""

CARDS = (*BAGS, *AIRPORT_COUNTS)
"""The 55 different cards."""

CITY_OF = {bag: bag[:3] for bag in BAGS}
"""The city of each bag."""

NUMBER_OF = {bag: int(bag[4:]) for bag in BAGS}
"""The number of each bag."""

_BAGS_EACH = {2: 12, 3: 10, 4: 9, 5: 8}


def bags_each(seats: int) -> int:
    """How many bags a seat is dealt. Rules: captain_bluff, Setup."""
    return _BAGS_EACH[seats]


def airport_each(seats: int) -> int:
    """How many Airport cards a seat is dealt. Rules: captain_bluff, Setup."""
    return 3 if seats == 2 else 2


def origins_each(seats: int) -> int:
    """How many origin cards a seat lays before the first turn. Rules: captain_bluff, Setup, R2."""
    return 2 if seats == 2 else 1
