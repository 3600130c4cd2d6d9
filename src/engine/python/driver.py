# Runs inside of the interpreter, before and around an answer. Reads what to do from the input and writes lines to the
# output, in a fixed order that the host holds it to; protocol.rs names them. It knows inputs only: nothing in here or in
# the input says what would be right. Whatever an answer changes, it can change only what it gives itself.
import builtins, io, sys
from _collections import OrderedDict, defaultdict
from posix import write


def drive():
    task = eval(sys.stdin.buffer.read().decode())  # literals that the host wrote
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.BytesIO())
    printed = io.BytesIO()
    sys.stdout = sys.stderr = io.TextIOWrapper(printed, "utf-8", "surrogatepass", newline="\n", write_through=True)
    sys.__stdout__ = sys.__stderr__ = sys.stdout

    builtins.exit = builtins.quit = sys.exit  # the module `site`, which is left out, defines them

    # own names for what is used after an answer has run, which may change builtins
    eval_, exec_, compile_, kind_of, length, ordered = eval, exec, compile, type, len, sorted
    Base, Bool, Bytes, Complex, Dict, Float, Frozen, Int = BaseException, bool, bytes, complex, dict, float, frozenset, int
    List, Nothing, Set, Str, Tuple = list, type(None), set, str, tuple
    Module = type(sys)
    name_of = type.__dict__["__name__"].__get__
    origin_of = type.__dict__["__module__"].__get__
    parents_of = type.__dict__["__mro__"].__get__
    args_of = BaseException.args.__get__
    known_errors = [value for value in vars(builtins).values() if type(value) is type and issubclass(value, BaseException)]
    lazy = [
        type(value)
        for value in (
            (None for _ in ()), map(None, ()), filter(None, ()), zip(), enumerate(()), reversed([]), reversed({}),
            range(0), iter([]), iter(()), iter(""), iter(b""), iter({}), iter(set()), iter(range(0)), iter(range(1 << 40)),
            iter({}.values()), iter({}.items()), {}.keys(), {}.values(), {}.items(), iter(int, 0),
        )
    ]

    def emit(line):
        data = line.encode() + b"\n"
        while data:
            data = data[write(1, data):]

    def hexed(text):
        return Str.encode(text, "utf-8", "surrogatepass").hex()

    def label(kind):
        name = name_of(kind)
        return hexed(name[:100]) if kind_of(name) is Str else ""

    def described(error, where=""):  # the class, the message of an error that Python itself defines, else its bases there
        kind, message, bases = kind_of(error), "", ""
        for known in known_errors:
            if kind is known:
                args = args_of(error)
                if args and kind_of(args[0]) is Str:
                    message = where + args[0][:200]
        if message == "":
            for parent in parents_of(kind):
                for known in known_errors:
                    if parent is known and kind is not known:
                        bases += name_of(known) + " "
        return label(kind) + " " + hexed(message) + " " + hexed(bases)

    class TooLarge(Exception):
        pass

    def encode(value, depth, room):  # by exact type, so that no method of the answer's own classes runs
        kind = kind_of(value)
        room[0] -= 1
        if kind is Str or kind is Bytes:
            room[0] -= length(value)
        elif kind is Int and value.bit_length() > 14000:  # Python itself refuses to write many more digits
            raise TooLarge
        if depth > 50 or room[0] < 0:
            raise TooLarge
        if kind is Nothing:
            return "n"
        if kind is Bool:
            return "t" if value else "f"
        if kind is Int:
            return "i%d;" % value
        if kind is Float:
            return "x%r;" % value
        if kind is Complex:
            return "c%r;%r;" % (value.real, value.imag)
        if kind is Str:
            return "s" + hexed(value) + ";"
        if kind is Bytes:
            return "b" + value.hex() + ";"
        if kind is List:
            return "[" + "".join([encode(item, depth + 1, room) for item in value]) + ";"
        if kind is Tuple:
            return "(" + "".join([encode(item, depth + 1, room) for item in value]) + ";"
        if kind is Set or kind is Frozen:
            opening = "{" if kind is Set else "<"
            return opening + "".join(ordered([encode(item, depth + 1, room) for item in value])) + ";"
        is_counter = Dict in parents_of(kind) and name_of(kind) == "Counter" and origin_of(kind) == "collections"
        if kind is Dict or kind is defaultdict or kind is OrderedDict or is_counter:
            return ":" + "".join(
                [encode(key, depth + 1, room) + encode(item, depth + 1, room) for key, item in Dict.items(value)]
            ) + ";"
        for known in lazy:
            if kind is known:
                break
        else:
            if origin_of(kind) != "itertools":
                return "?" + label(kind) + ";"
        items = []
        for item in value:
            items.append(encode(item, depth + 1, room))
        return "*" + "".join(items) + ";"

    def encoded(value):
        try:
            return encode(value, 0, [20000])
        except TooLarge:
            return "!"

    def names(code):  # what a program binds at its top, and the global names that it reads anywhere
        binds, reads, todo = set(), set(), [(code, True)]
        while todo:
            code, is_top = todo.pop()
            raw, argument = code.co_code, 0
            for at in range(0, len(raw), 2):
                operation, argument = raw[at], argument << 8 | raw[at + 1]
                if operation == opmap["EXTENDED_ARG"]:
                    continue
                if operation == opmap["STORE_GLOBAL"] or operation == opmap["STORE_NAME"] and is_top:
                    binds.add(code.co_names[argument])
                elif operation == opmap["LOAD_NAME"]:
                    reads.add(code.co_names[argument])
                elif operation == opmap["LOAD_GLOBAL"]:
                    reads.add(code.co_names[argument >> 1])
                argument = 0
            todo += [(inner, False) for inner in code.co_consts if type(inner) is type(code)]
        return binds, reads

    def compiled(sources):  # number, code and names of each that compiles
        programs = []
        for number, source in sources:
            emit("T%d" % number)
            try:
                code = compile(source, "answer.py", "exec", 0, True)
            except BaseException as error:
                line = getattr(error, "lineno", None)
                emit("X%d %s" % (number, described(error, "line %d: " % line if line else "")))
            else:
                programs.append((number, code, *names(code)))
        return programs

    def chosen(programs, entry):  # the last that binds the entry, or the last, with those that bind what it lacks
        main = ([program for program in programs if entry in program[2]] or programs)[-1]
        parts, known, lacking = [main], set(vars(builtins)) | main[2], list(main[3])
        while lacking:
            name = lacking.pop()
            if name in known:
                continue
            known.add(name)
            for program in reversed(programs):
                if name in program[2]:
                    if program not in parts:
                        parts.append(program)
                        lacking += program[3]
                    known |= program[2]
                    break
        return sorted(parts, key=lambda program: program[0])

    def plain_cache():  # the standard library's own lru_cache in Python, whose recursion needs no C stack
        sys.modules["_functools"] = None
        import functools
        del sys.modules["_functools"]
        import _functools
        for name in ("cmp_to_key", "partial", "reduce"):
            setattr(functools, name, getattr(_functools, name))

    def judge(blocks, whole, entry, cases):
        programs = compiled(blocks)
        if programs:
            programs = chosen(programs, entry)
        elif whole:
            programs = [program for program in compiled(whole) if program[2]]
        if not programs:
            emit("N")
            return
        emit("P" + ",".join([str(program[0]) for program in programs]))
        module = sys.modules["solution"] = Module("solution")
        space = module.__dict__
        space["__builtins__"] = builtins
        if [program for program in programs if "functools" in program[1].co_names]:
            plain_cache()
        try:
            for program in programs:
                exec_(program[1], space)
        except Base as error:
            emit("L" + described(error))
            return
        if entry not in space:
            emit("M")
            return
        emit("D")
        number = -1
        for setup, call, wants_printed in cases:
            number += 1
            emit("C%d" % number)
            stage, own = "S", Dict(space)
            try:
                for line in setup:
                    exec_(compile_(line, "case.py", "exec", 0, True), own)
                printed.seek(0)
                printed.truncate()
                expression = compile_(call, "case.py", "eval", 0, True)
                stage = "E"
                value = eval_(expression, own)
                stage = "S"
                if wants_printed:
                    value = Bytes.decode(printed.getvalue(), "utf-8", "surrogatepass")
                stage = "E"  # lazy values raise when they are read
                line = "V%d %s" % (number, encoded(value))
            except Base as error:
                line = "%s%d %s" % (stage, number, described(error))
            emit(line)

    def hold(questions):  # properties of values that an answer gave, where no answer ever was
        number = -1
        for setup, value, property_ in questions:
            number += 1
            emit("C%d" % number)
            given = Module("given")
            for line in setup:
                try:
                    exec(line, given.__dict__)
                except Exception:
                    pass  # needs the answer's names
            try:
                holds = eval(property_, {"result": eval(value), "given": given})
                line = "V%d %s" % (number, "t" if holds else "f")
            except BaseException as error:
                line = "E%d %s" % (number, described(error))
            emit(line)

    if task[0] == "judge":
        from opcode import opmap
        judge(*task[1:])
    else:
        hold(*task[1:])
    emit("Z")


drive()
