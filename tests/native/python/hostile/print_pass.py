# 0/6 gave None, not 5
def f(x):
    print("PASS", x + 3)
    print("V0 i5;\nZ")
