# 0/6 called exit
class chain:
    __module__ = "itertools"

    def __iter__(self):
        raise SystemExit

def f(x):
    return chain()
