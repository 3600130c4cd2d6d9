# 0/6 raised RecursionError
def f(x):
    return f(x) + 1
