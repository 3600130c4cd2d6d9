# 6/6
import time

def f(x):
    begun = time.time()
    while time.time() - begun < 2:
        pass
    return x + 3
