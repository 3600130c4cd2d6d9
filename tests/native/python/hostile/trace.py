# 0/6 gave
import sys

def trace(frame, event, argument):
    if "number" in frame.f_locals:
        frame.f_locals["number"] = 5
    return trace

sys.settrace(trace)

def f(x):
    return x
