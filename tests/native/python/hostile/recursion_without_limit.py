# 0/6 ran out of fuel
import sys

sys.setrecursionlimit(10 ** 9)

def f(x):
    return f(x) + 1
