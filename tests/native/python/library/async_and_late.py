import inspect
import pathlib
import pprint
import types
import urllib.parse
import uuid
import weakref
import zlib
from ast import literal_eval, parse
from queue import PriorityQueue, Queue


async def add(a, b):
    return a + b


class Held:
    pass


def main():
    coroutine = add(1, 2)
    try:
        coroutine.send(None)
    except StopIteration as stop:
        print(stop.value)
    print(list(inspect.signature(add).parameters), pathlib.PurePosixPath("a/b").parent, urllib.parse.urlparse("http://x/y?z=1").query)
    pprint.pprint({"a": [1, 2]})
    print(types.SimpleNamespace(a=1).a, uuid.UUID(int=5).hex[-2:], zlib.decompress(zlib.compress(b"aaaa")), literal_eval("[1, 'a']"))
    print(type(parse("x = 1").body[0]).__name__)
    held = Held()
    print(weakref.ref(held)() is held)
    line, heap = Queue(), PriorityQueue()
    line.put(3)
    for n in (2, 1):
        heap.put(n)
    print(line.get(), heap.get(), line.empty())


# prints
#  3
#  ['a', 'b'] a z=1
#  {'a': [1, 2]}
#  1 05 b'aaaa' [1, 'a']
#  Assign
#  True
#  3 1 True
