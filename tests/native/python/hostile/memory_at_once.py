# 0/6 needs more than 256 MiB
def f(x):
    return len([0] * 10 ** 8)
