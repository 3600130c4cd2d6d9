# 0/6 raised
import socket

def f(x):
    socket.create_connection(("127.0.0.1", 80), 1)
    return x + 3
