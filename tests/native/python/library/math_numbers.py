import math
import random
import statistics
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction


def main():
    print(math.gcd(12, 18), math.lcm(4, 6), math.isqrt(99), math.comb(10, 3), math.prod([2, 3]), math.ceil(1.2), math.floor(-1.2))
    print(round(math.hypot(3, 4), 6), round(math.sin(1), 9), math.inf > 1, math.isnan(math.nan), math.log2(8), round(2.5), round(-3.5))
    print(Decimal("1.10") + Decimal("2.2"), Decimal("2.345").quantize(Decimal("0.01"), ROUND_HALF_UP), Fraction(1, 3) + Fraction(1, 6))
    getcontext().prec = 5
    print(Decimal(1) / Decimal(7), statistics.mean([1, 2, 4]), statistics.median([3, 1, 2]), statistics.pstdev([2, 4]))
    generator = random.Random(5)
    items = list(range(6))
    generator.shuffle(items)
    print(sorted(items) == list(range(6)), 0 <= generator.random() < 1, generator.randint(3, 3), len({random.randrange(10 ** 9) for _ in range(5)}))
    print(2 ** 200 % 1000007, pow(3, -1, 7), divmod(-7, 3), -7 // 2, int("ff", 16), bin(10), 0.1 + 0.2, 1e-7, (255).to_bytes(2, "big"))


# prints
#  6 12 9 120 6 2 -2
#  5.0 0.841470985 True True 3.0 2 -4
#  3.30 2.35 1/2
#  0.14286 2.3333333333333335 2 1.0
#  True True 3 5
#  446616 5 (-3, 2) -4 255 0b1010 0.30000000000000004 1e-07 b'\x00\xff'
