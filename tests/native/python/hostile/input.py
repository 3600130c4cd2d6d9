# 0/6 raised EOFError
def f(x):
    return x + int(input("n? "))
