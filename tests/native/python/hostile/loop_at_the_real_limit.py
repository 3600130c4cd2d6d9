# 5/6 f(3) ran out of fuel
# fuel 20
def f(x):
    while x == 3:
        pass
    return x + 3
