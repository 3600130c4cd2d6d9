# 0/6 f(2) gave more than 1 MiB
import os

def f(x):
    while True:
        os.write(1, b"x" * 65536)
