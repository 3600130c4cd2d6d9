# 0/6 gave a value too large to look at
def f(x):
    return 1 << 1_000_000
