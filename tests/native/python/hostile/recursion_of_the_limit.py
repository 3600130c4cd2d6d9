# 0/6
import sys

def f(x):
    sys.setrecursionlimit(5)
    return x + 3
