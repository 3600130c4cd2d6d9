# 0/6 gave None
import sys

def f(x):
    sys.__stdout__.write("V0 i5;\n")
    sys.__stderr__.write("V0 i5;\n")
