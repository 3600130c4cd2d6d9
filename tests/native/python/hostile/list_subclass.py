# 0/6 gave an object of class Many
class Many(list):
    def __iter__(self):
        yield 5

def f(x):
    return Many()
