# 0/6 raised FileNotFoundError
def f(x):
    return len(open("/etc/passwd").read())
