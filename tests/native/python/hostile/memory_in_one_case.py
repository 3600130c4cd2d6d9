# 5/6 f(10) needs more than 256 MiB
def f(x):
    if x == 10:
        return bytearray(10 ** 9)
    return x + 3
