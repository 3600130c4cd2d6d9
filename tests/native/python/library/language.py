import sys


def spread(a, /, b, *rest, c=3, **more):
    return a, b, rest, c, more


def walk(tree):
    if isinstance(tree, list):
        for item in tree:
            yield from walk(item)
    else:
        yield tree


def kind(value):
    match value:
        case {"type": "point", "at": [x, y]}:
            return f"point {x} {y}"
        case [first, *_] if first > 0:
            return f"list from {first}"
        case str() | bytes():
            return "text"
        case _:
            return "nothing"


def echo():
    got = yield "ready"
    while got != "stop":
        got = yield got * 2
    return "done"


def down(n):
    return 0 if n == 0 else 1 + down(n - 1)


def main():
    print(spread(1, 2, 4, c=5, d=6), list(walk([1, [2, [3]], []])))
    print(kind({"type": "point", "at": [1, 2]}), kind([3, 4]), kind("a"), kind(None))
    talk = echo()
    print(next(talk), talk.send(4))
    try:
        talk.send("stop")
    except StopIteration as stop:
        print(stop.value)
    if (n := len("walrus")) > 5:
        print(n, [y for x in range(3) if (y := x * x)], {k: v for k, v in zip("ab", [1, 2])}, *[1, 2], sep="/")
    try:
        try:
            1 / 0
        except ZeroDivisionError as error:
            raise ValueError("bad") from error
        finally:
            print("finally")
    except ValueError as error:
        print(error, repr(error.__cause__))
    try:
        raise ExceptionGroup("both", [KeyError("k"), TypeError("t")])
    except* KeyError as group:
        print(len(group.exceptions))
    except* TypeError:
        print("type")
    total = 0

    def add(n):
        nonlocal total
        total += n

    for n in range(5):
        if n == 3:
            continue
        add(n)
    else:
        print(total)
    sys.setrecursionlimit(10_000)
    print(down(5000), sorted("bca", reverse=True), min([], default=7), any([]), sum([[1], [2]], []), [1, 2, 3][::-1], "abc"[-2:])
    a, *b, c = range(5)
    print(a, b, c, 1 < 2 < 3, None is None, not [], 7 if b else 8, [*b, *{1}], {**{"x": 1}, "x": 2})
    print(eval("1 + 1"), type("Made", (), {"n": 4}).n, callable(main), __name__)
    exec("print('exec')")


if __name__ == "__main__":
    print("this must not run")
    raise SystemExit(1)


# prints
#  (1, 2, (4,), 5, {'d': 6}) [1, 2, 3]
#  point 1 2 list from 3 text nothing
#  ready 8
#  done
#  6/[1, 4]/{'a': 1, 'b': 2}/1/2
#  finally
#  bad ZeroDivisionError('division by zero')
#  1
#  type
#  7
#  5000 ['c', 'b', 'a'] 7 False [1, 2] [3, 2, 1] bc
#  0 [1, 2, 3] 4 True True True 7 [1, 2, 3, 1] {'x': 2}
#  2 4 True solution
#  exec
