# 0/6 loading the code raised AssertionError: no
def f(x):
    return x + 3

assert f(1) == 5, "no"
