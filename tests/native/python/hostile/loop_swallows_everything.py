# 0/6 ran out of fuel
def f(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
