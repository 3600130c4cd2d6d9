# 0/6 needs more than 256 MiB
# fuel 20
def f(x):
    rows = []
    while True:
        rows.append([0] * 1_000_000)
