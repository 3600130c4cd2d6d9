# 6/6
globals()["f"] = lambda x: x + 3
