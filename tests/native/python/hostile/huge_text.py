# 0/6 gave a value too large to look at
def f(x):
    return "x" * 10 ** 7
