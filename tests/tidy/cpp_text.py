"""C++ source as the rules need it: code without comments and strings, strings, functions."""

import re

_TOKEN = re.compile(
    r"""(?P<raw>(?:u8|[LuU])?R"(?P<mark>[^()\\\s]{0,16})\((?P<rawtext>.*?)\)(?P=mark)")"""
    r"""|(?P<text>"(?:\\.|[^"\\\n])*")"""
    r"""|(?P<char>(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+')"""
    r"""|(?P<line>//[^\n]*)"""
    r"""|(?P<block>/\*.*?\*/)""",
    re.DOTALL,
)
_VALUE = re.compile(
    r"^(?:inline |static )*(?:constexpr|const|thread_local)\b[^\n=;({]*?\b(\w+)\s*(?:[={\[]|;)",
    re.M,
)
_NEW_TYPE = re.compile(r"^(?:struct|class|enum|enum class) (\w+)\s*(?:[:{]|$)", re.M)
_FUNCTION = re.compile(r"^[\w:<>,&*\[\] ]+?[ &*](\w+)\(([^;{}]*?)\)[ \w]*\n\{", re.M)
_ACCESS = re.compile(r"\s*(public|private|protected|signals|Q_OBJECT)\b( slots)?:?\s*$")
_TYPE = re.compile(r"\s*(class|struct|union|enum|namespace|extern)\b")


def _blank(text):
    """Same lines, nothing in them."""
    return re.sub(r"[^\n]", " ", text)


def _without_template(text):
    """The declaration behind `template <…>`, whatever is nested in it."""
    while (found := re.match(r"\s*template\s*<", text)) is not None:
        depth = 0
        for at in range(found.end() - 1, len(text)):
            depth += {"<": 1, ">": -1}.get(text[at], 0)
            if depth == 0:
                break
        text = text[at + 1 :]
    return text


class CppText:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.strings = []  # (line number, content); neighbours are joined as the compiler does
        pieces = []
        last_end = 0
        for token in _TOKEN.finditer(text):
            between = text[last_end : token.start()]
            pieces.append(between)
            if token["raw"] or token["text"]:
                content = token["rawtext"] if token["raw"] else token["text"][1:-1]
                line = text.count("\n", 0, token.start()) + 1
                if self.strings and _are_blank_since_string(pieces):
                    first, before = self.strings.pop()
                    self.strings.append((first, before + content))
                else:
                    self.strings.append((line, content))
                pieces.append('"' + _blank(token.group()[1:-1]) + '"')
            else:
                pieces.append(_blank(token.group()))
            last_end = token.end()
        pieces.append(text[last_end:])
        self.code = "".join(pieces).split("\n")

    def functions(self):
        """(first, last line) of each body whose brace stands alone, as clang-format puts it."""
        open_at = []  # per brace: the line a function begins at, or None
        head = None  # first line since the last end of a statement
        for number, line in enumerate(self.code, 1):
            if line.lstrip().startswith("#") or _ACCESS.match(line):
                continue
            if head is None and line.strip():
                head = number
            for at, char in enumerate(line):
                if char == "{":
                    is_function = not line[:at].strip() and self._declares_function(head, number)
                    open_at.append(head if is_function else None)
                elif char == "}":
                    began = open_at.pop() if open_at else None
                    if began:
                        yield began, number
                if char in "{};":
                    head = None

    def file_scope_names(self):
        """Constants, types and functions (with the types they take) defined at the left margin."""
        code = "\n".join(self.code)
        names = {found[1] for found in (*_VALUE.finditer(code), *_NEW_TYPE.finditer(code))}
        for found in _FUNCTION.finditer(code):
            taken = [re.sub(r"\s*\w+$", "", one.strip()) for one in found[2].split(",")]
            names.add(f"{found[1]}({', '.join(taken)})")
        return names

    def _declares_function(self, head, brace):
        if head is None or head == brace:
            return False
        return not _TYPE.match(_without_template(" ".join(self.code[head - 1 : brace - 1])))


def _are_blank_since_string(pieces):
    """True when only white space and comments lie between the last string and the end."""
    for piece in reversed(pieces):
        stripped = piece.strip()
        if not stripped:
            continue
        return stripped[0] == '"' and stripped[-1] == '"' and not stripped.strip('" \n')
    return False
