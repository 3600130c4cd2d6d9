# 6/6
def f(x):
    for n in range(3000):
        print("x" * 100)
    return x + 3
