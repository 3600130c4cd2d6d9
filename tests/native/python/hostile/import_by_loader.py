# 0/6 raised
def f(x):
    loader = __builtins__["__spec__"].loader if isinstance(__builtins__, dict) else __builtins__.__spec__.loader
    return loader.load_module("_posixsubprocess").fork_exec
