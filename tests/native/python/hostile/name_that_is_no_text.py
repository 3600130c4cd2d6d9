# 0/6 raised
class Name(str):
    def __getitem__(self, at):
        raise SystemExit

    def encode(self, *rest):
        raise SystemExit

def f(x):
    error = type(Name("Boom"), (Exception,), {})
    raise error(Name("x"))
