# 0/6 needs more than 256 MiB
def f(x):
    text = "ab"
    while True:
        text += text
