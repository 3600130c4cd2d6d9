# 5/6 f(2) called exit
import os

def f(x):
    if x == 2:
        os._exit(0)
    return x + 3
