# 0/6 raised
from multiprocessing import Pool

def f(x):
    with Pool(4) as pool:
        return pool.map(abs, [x])[0] + 3
