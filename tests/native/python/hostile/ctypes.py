# 0/6 loading the code raised ModuleNotFoundError
import ctypes

def f(x):
    return ctypes.CDLL(None).getpid() and x + 3
