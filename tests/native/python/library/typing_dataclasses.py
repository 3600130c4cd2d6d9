from __future__ import annotations

from dataclasses import dataclass, field, replace, asdict
from typing import Any, Callable, Generic, Iterable, NamedTuple, Optional, Protocol, TypedDict, TypeVar, Union

T = TypeVar("T")


class Named(Protocol):
    name: str


class Spot(NamedTuple):
    row: int
    seat: str = "A"


class Ticket(TypedDict, total=False):
    price: int


@dataclass(order=True)
class Boat:
    name: str
    crew: list[str] = field(default_factory=list)
    length: Optional[float] = None


@dataclass(frozen=True, slots=True)
class Mark(Generic[T]):
    value: T


def first(items: Iterable[T], test: Callable[[T], bool]) -> Union[T, None]:
    return next((item for item in items if test(item)), None)


def main() -> None:
    boat = Boat("Ida", ["Ann"])
    print(boat, replace(boat, length=4.5), asdict(boat))
    print(sorted([Boat("b"), Boat("a")])[0].name, Boat("a") == Boat("a"))
    try:
        Mark(1).value = 2
    except Exception as error:
        print(type(error).__name__)
    print(Spot(3), Spot(3)._replace(seat="B"), Ticket(price=4), first([1, 2, 3], lambda n: n > 1))


# prints
#  Boat(name='Ida', crew=['Ann'], length=None) Boat(name='Ida', crew=['Ann'], length=4.5) {'name': 'Ida', 'crew': ['Ann'], 'length': None}
#  a True
#  FrozenInstanceError
#  Spot(row=3, seat='A') Spot(row=3, seat='B') {'price': 4} 2
