# 0/6 ran out of fuel
import re

def f(x):
    return len(re.match(r"(x+x+)+y", "x" * 60).group()) + x
