# 0/6 f(4) was not run: other cases ended the interpreter three times
def f(x):
    while True:
        x += 1
