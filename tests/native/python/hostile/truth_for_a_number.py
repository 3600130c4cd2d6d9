# 0/6 gave True, not
def f(x):
    return True
