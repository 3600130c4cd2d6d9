# 0/6 raised ValueError
class Evil:
    def __str__(self):
        raise SystemExit

    __repr__ = __len__ = __getitem__ = __str__

def f(x):
    raise ValueError(Evil())
