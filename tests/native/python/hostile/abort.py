# 0/6 broke the interpreter
import os

def f(x):
    os.abort()
