import array
import bisect
import copy
import heapq
import struct


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next

    def __lt__(self, other):
        return self.value < other.value


def main():
    heap = [5, 1, 4]
    heapq.heapify(heap)
    heapq.heappush(heap, 0)
    print([heapq.heappop(heap) for _ in range(4)], heapq.nlargest(2, [1, 9, 5]), list(heapq.merge([1, 4], [2])))
    nodes = [Node(3), Node(1)]
    heapq.heapify(nodes)
    print(heapq.heappop(nodes).value)
    row = [10, 20, 20, 30]
    bisect.insort(row, 25)
    print(bisect.bisect_left(row, 20), bisect.bisect(row, 20), row)
    deep = {"a": [1, {"b": 2}]}
    twin, shallow = copy.deepcopy(deep), copy.copy(deep)
    deep["a"][1]["b"] = 3
    print(twin, shallow)
    print(array.array("i", [1, 2]).tolist(), struct.pack("<hI", 1, 2).hex(), memoryview(b"abc")[1])


# prints
#  [0, 1, 4, 5] [9, 5] [1, 2, 4]
#  1
#  1 3 [10, 20, 20, 25, 30]
#  {'a': [1, {'b': 2}]} {'a': [1, {'b': 3}]}
#  [1, 2] 010002000000 98
