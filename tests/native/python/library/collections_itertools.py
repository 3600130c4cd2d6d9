from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from itertools import accumulate, chain, combinations, count, cycle, groupby, islice, pairwise, permutations, product, takewhile, zip_longest


def main():
    print(Counter("pebbles").most_common(2), Counter("ab") + Counter("b"))
    groups = defaultdict(list)
    for word in ("oak", "elm", "ash", "pine"):
        groups[len(word)].append(word)
    print(dict(groups))
    line = deque([1, 2, 3], maxlen=3)
    line.appendleft(0)
    line.rotate(1)
    print(line)
    order = OrderedDict(a=1, b=2)
    order.move_to_end("a")
    print(list(order), ChainMap({"a": 1}, {"a": 2, "b": 3})["b"], namedtuple("P", "x y")(1, 2).y)
    print(list(accumulate([1, 2, 3])), list(chain([1], "a")), list(combinations("abc", 2))[-1], len(list(permutations(range(4)))))
    print([(key, len(list(group))) for key, group in groupby("aabccc")], list(islice(count(5, 5), 3)), list(pairwise("abc")))
    print(list(product([0, 1], repeat=2)), list(zip_longest("ab", "c")), list(takewhile(lambda n: n < 3, cycle([1, 2, 3]))))


# prints
#  [('e', 2), ('b', 2)] Counter({'b': 2, 'a': 1})
#  {3: ['oak', 'elm', 'ash'], 4: ['pine']}
#  deque([2, 0, 1], maxlen=3)
#  ['b', 'a'] 3 2
#  [1, 3, 6] [1, 'a'] ('b', 'c') 24
#  [('a', 2), ('b', 1), ('c', 3)] [5, 10, 15] [('a', 'b'), ('b', 'c')]
#  [(0, 0), (0, 1), (1, 0), (1, 1)] [('a', 'c'), ('b', None)] [1, 2]
