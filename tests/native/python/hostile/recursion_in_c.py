# 0/6
import sys

sys.setrecursionlimit(10 ** 8)

class Sum:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Sum(self.x) + other

    def __repr__(self):
        return repr(self)

def f(x):
    return repr(Sum(x))
