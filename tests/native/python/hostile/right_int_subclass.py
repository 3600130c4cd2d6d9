# 0/6 gave an object of class Mine, not 5
class Mine(int):
    pass

def f(x):
    return Mine(x + 3)
