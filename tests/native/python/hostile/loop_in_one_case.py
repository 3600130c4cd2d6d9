# 5/6 f(2) ran out of fuel (a loop without end?)
def f(x):
    while x == 2:
        pass
    return x + 3
