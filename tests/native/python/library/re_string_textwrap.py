import re
import string
import textwrap
import unicodedata


def main():
    print(re.findall(r"(\w+)=(\d+)", "a=1, b=22"), re.sub(r"(?P<d>\d)", r"<\g<d>>", "a1b2"))
    print(re.split(r"[;,]\s*", "x, y;z"), re.fullmatch(r"[A-Z]{2}\d+", "AB12").group(), bool(re.match("b", "ab")))
    print(re.compile(r"^\s*#.*$", re.M).sub("", "a\n # b\nc"), re.search(r"(?<=\$)\d+(?:\.\d\d)?", "cost $12.50").group())
    print(string.ascii_lowercase[:5], string.Template("$who is in").substitute(who="Bo"), string.punctuation[:3])
    print(textwrap.fill("the quick brown fox jumps", 10), textwrap.dedent("  a\n    b"), textwrap.shorten("a b c d", 5, placeholder="…"))
    print("Straße".casefold(), unicodedata.normalize("NFD", "é").encode(), "{:>6.2f}|{:,}|{:#x}|{!r}".format(3.14159, 1234567, 255, "q"))
    print(f"{'a':*^5}{1e6:.1e}{0.5:.0%}{12:05d}", "a-b".partition("-"), "x".join("abc"), "tést".isidentifier())


# prints
#  [('a', '1'), ('b', '22')] a<1>b<2>
#  ['x', 'y', 'z'] AB12 False
#  a
#
#  c 12.50
#  abcde Bo is in !"#
#  the quick
#  brown fox
#  jumps a
#    b a b…
#  strasse b'e\xcc\x81'   3.14|1,234,567|0xff|'q'
#  **a**1.0e+0650%00012 ('a', '-', 'b') axbxc True
