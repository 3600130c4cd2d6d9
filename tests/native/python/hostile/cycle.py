# 0/6 gave a value too large to look at
def f(x):
    items = []
    items.append(items)
    return items
