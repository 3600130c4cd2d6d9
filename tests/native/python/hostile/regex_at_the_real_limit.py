# 5/6 f(10) ran out of fuel
# fuel 20
import re

def f(x):
    if x == 10:
        re.match(r"(a|a)+$", "a" * 40 + "b")
    return x + 3
