# 0/6 raised AttributeError
import os

def f(x):
    os.system("touch /tmp/left-behind")
    return x + 3
