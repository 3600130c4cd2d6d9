# 0/6 gave a value too large to look at
def f(x):
    while True:
        yield x + 3
