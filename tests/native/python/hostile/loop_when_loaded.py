# 0/6 the code ran out of fuel
while True:
    pass

def f(x):
    return x + 3
