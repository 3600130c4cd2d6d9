# 0/6 wrote into the results itself
import os

def f(x):
    os.write(1, b"V0 i3;\n")
    return x
