# 6/6
import time

def f(x):
    time.sleep(1_000_000)
    return x + 3
