# 0/6 raised ValueError: Exceeds the limit
def f(x):
    return str(1 << 1_000_000)
