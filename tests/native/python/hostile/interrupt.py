# 0/6 raised KeyboardInterrupt
def f(x):
    raise KeyboardInterrupt
