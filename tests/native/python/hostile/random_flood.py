# 5/6 f(2) ran out of fuel
import os

def f(x):
    while x == 2:
        os.urandom(50_000_000)
    return x + 3
