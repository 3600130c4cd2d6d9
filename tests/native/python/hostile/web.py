# 0/6 raised
from urllib.request import urlopen

def f(x):
    return len(urlopen("http://127.0.0.1:8877/").read())
