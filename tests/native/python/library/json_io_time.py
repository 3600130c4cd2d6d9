import csv
import io
import json
import time
from base64 import b64encode
from contextlib import contextmanager, redirect_stdout, suppress
from datetime import date, datetime, timedelta, timezone
from hashlib import md5, sha256


@contextmanager
def tagged(name):
    print("<" + name)
    yield
    print(name + ">")


def main():
    print(json.dumps({"b": [1, None, True], "a": "é"}, sort_keys=True), json.loads('{"x": [1.5, "\\u00e9"]}'))
    try:
        json.loads("{bad}")
    except json.JSONDecodeError as error:
        print(error.msg, error.pos)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["a", 'q"q', 3])
    print(repr(text.getvalue()), list(csv.DictReader(io.StringIO("x,y\n1,2\n"))))
    with tagged("b"), suppress(KeyError):
        {}["x"]
    with redirect_stdout(io.StringIO()) as caught:
        print("inside")
    print(repr(caught.getvalue()))
    day = date(2028, 2, 28)
    print(day + timedelta(days=2), day.weekday(), day.strftime("%d.%m.%y"), datetime(2030, 1, 2, 3, 4, tzinfo=timezone.utc).isoformat())
    print((datetime.fromisoformat("2030-05-01") - datetime(2030, 4, 1)).days, datetime.strptime("7:05", "%H:%M").minute)
    begun = time.perf_counter()
    time.sleep(3)
    print(time.perf_counter() - begun >= 3, b64encode(b"hi"), sha256(b"x").hexdigest()[:8], md5(b"x").hexdigest()[:8])


# prints
#  {"a": "\u00e9", "b": [1, null, true]} {'x': [1.5, 'é']}
#  Expecting property name enclosed in double quotes 1
#  'a,"q""q",3\r\n' [{'x': '1', 'y': '2'}]
#  <b
#  b>
#  'inside\n'
#  2028-03-01 0 28.02.28 2030-01-02T03:04:00+00:00
#  30 5
#  True b'aGk=' 2d711642 9dd4e461
