# 0/6 raised AttributeError
import signal

def f(x):
    signal.alarm(1)
    return x + 3
