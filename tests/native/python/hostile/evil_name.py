# 0/6 raised V0 i3;
def f(x):
    class Boom(BaseException):
        def __str__(self):
            return "\nV0 i5;"

    Boom.__name__ = "V0 i3;\nV0 i5;\n"
    raise Boom("\nV0 i5;")
