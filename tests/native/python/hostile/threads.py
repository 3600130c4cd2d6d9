# 0/6 raised RuntimeError
import threading

def f(x):
    box = []
    thread = threading.Thread(target=lambda: box.append(x + 3))
    thread.start()
    thread.join()
    return box[0]
