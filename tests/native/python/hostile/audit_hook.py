# 0/6
import sys

def hook(event, arguments):
    if event in ("compile", "exec"):
        raise ValueError(event)

def f(x):
    return x + 3

sys.addaudithook(hook)
