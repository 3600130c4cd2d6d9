from abc import ABC, abstractmethod
from enum import Enum, Flag, IntEnum, auto


class Colour(Enum):
    RED = auto()
    BLUE = auto()


class Level(IntEnum):
    LOW = 1
    HIGH = 5


class Right(Flag):
    READ = auto()
    WRITE = auto()


class Shape(ABC):
    count = 0

    def __init__(self):
        type(self).count += 1

    @abstractmethod
    def area(self): ...

    @property
    def double(self):
        return 2 * self.area()

    @classmethod
    def named(cls):
        return cls.__name__

    @staticmethod
    def zero():
        return 0


class Square(Shape):
    __slots__ = ("side",)

    def __init__(self, side):
        super().__init__()
        self.side = side

    def area(self):
        return self.side ** 2

    def __eq__(self, other):
        return isinstance(other, Square) and self.side == other.side

    def __hash__(self):
        return hash(self.side)

    def __repr__(self):
        return f"Square({self.side})"

    def __len__(self):
        return 4

    def __getitem__(self, n):
        return self.side * n

    def __contains__(self, n):
        return n == self.side

    def __call__(self, n):
        return n + self.side

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return error[0] is KeyError


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner):
        return getattr(instance, self.name)

    def __set__(self, instance, value):
        if value < 0:
            raise ValueError(f"{self.name[1:]} must not be negative")
        setattr(instance, self.name, value)


class Account:
    balance = Positive()

    def __init__(self, balance):
        self.balance = balance


def main():
    print(Colour.RED, Colour["BLUE"].value, Level.HIGH > Level.LOW, Right.READ | Right.WRITE, list(Colour))
    try:
        Shape()
    except TypeError as error:
        print("abstract" in str(error))
    square = Square(3)
    print(square.double, Square.named(), square.zero(), Square.count, {Square(3), square}, len(square), square[2], 3 in square, square(1))
    with square:
        raise KeyError
    try:
        Account(5).balance = -1
    except ValueError as error:
        print(error)


# prints
#  Colour.RED 2 True Right.READ|WRITE [<Colour.RED: 1>, <Colour.BLUE: 2>]
#  True
#  18 Square 0 1 {Square(3)} 4 6 True 4
#  balance must not be negative
