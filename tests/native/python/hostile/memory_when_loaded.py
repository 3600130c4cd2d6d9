# 0/6 loading the code raised MemoryError
# fuel 20
table = [[0] * 10 ** 7 for _ in range(10 ** 9)]

def f(x):
    return x + 3
