# 0/6 raised
def f(x):
    with open("/tmp/left-behind", "w") as file:
        file.write("x")
    return x + 3
