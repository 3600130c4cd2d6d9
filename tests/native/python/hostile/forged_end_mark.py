# 0/6 wrote into the results itself
import os

def f(x):
    os.write(1, b"Z\n")
    return x + 3
