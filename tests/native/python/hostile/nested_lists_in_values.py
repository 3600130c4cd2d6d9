# 0/6 gave a value too large to look at
def f(x):
    value = x + 3
    for _ in range(100_000):
        value = [value]
    return value
