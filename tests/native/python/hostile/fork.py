# 0/6 raised AttributeError
import os

def f(x):
    while True:
        os.fork()
