# 0/6 ran out of fuel
def f(x):
    return 9 ** 9 ** 9
