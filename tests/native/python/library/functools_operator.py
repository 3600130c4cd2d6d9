import operator
from functools import cache, cached_property, cmp_to_key, lru_cache, partial, partialmethod, reduce, singledispatch, total_ordering, wraps


@lru_cache(maxsize=None)
def steps(n):
    return 1 if n < 2 else steps(n - 1) + steps(n - 2)


@cache
def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


@lru_cache(maxsize=2)
def small(n):
    return n


@singledispatch
def kind(value):
    return "other"


@kind.register
def _(value: int):
    return "int"


@total_ordering
class Grade:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n

    @cached_property
    def half(self):
        return self.n / 2


def loud(function):
    @wraps(function)
    def inner(*args):
        return function(*args).upper()
    return inner


@loud
def name(n):
    """Says a name."""
    return f"n{n}"


def main():
    print(steps(90), steps.cache_info().currsize, depth(400))
    for n in (1, 2, 1, 3, 2):
        small(n)
    print(small.cache_info())
    print(kind(1), kind("x"), Grade(2) >= Grade(1), Grade(5).half, name(3), name.__doc__)
    print(reduce(operator.mul, [1, 2, 3, 4]), partial(pow, 2)(5), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
    print(operator.itemgetter(1)([5, 6]), operator.attrgetter("n")(Grade(7)), operator.methodcaller("upper")("x"))


# prints
#  4660046610375530309 91 400
#  CacheInfo(hits=1, misses=4, maxsize=2, currsize=2)
#  int other True 2.5 N3 Says a name.
#  24 32 [3, 2, 1]
#  6 7 X
