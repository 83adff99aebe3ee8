#!/usr/bin/env python3
"""House rules as a test: layers, limits, banned calls, leftovers. `tidy.py [ROOT]`; 0 means clean.

The rules are in rules.toml beside this file. Each complaint is one line, PATH:LINE: WHAT.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys
import tomllib

from cpp_text import CppText

HERE = pathlib.Path(__file__).resolve().parent
CODE = (".h", ".cpp", ".py", ".sh", ".cmake", ".sql", "CMakeLists.txt", "/dev", "/run")
TEXT = CODE + (".md", ".toml", ".json", ".yml", ".service", ".conf", ".ts")


def listed(root):
    """Tracked and new files, without what git ignores; every file where there is no git."""
    found = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"],
        capture_output=True,
        check=False,
    )
    if found.returncode == 0:
        names = found.stdout.decode().split("\0")
        return sorted(name for name in names if name and (root / name).is_file())
    every = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return sorted(str(path) for path in every if path.parts[0] not in ("build", ".git", ".cache"))


def matches(path, patterns):
    return any(fnmatch.fnmatch(path, pattern) for pattern in patterns)


def module_of(path):
    """The layer a file belongs to: <name> of processor/, ui/<name>, app; None for all else."""
    parts = path.split("/")
    if parts[0] == "processor" and len(parts) > 2:
        return parts[1]
    if parts[0] == "ui" and len(parts) > 2:
        return "ui/" + parts[1]
    if path == "app/console.cpp":
        return "app/console"  # two programs: one contains no Qt, the other no libpq
    return "app" if parts[0] == "app" else None


class Tidy:
    def __init__(self, root, rules):
        self.root = root
        self.rules = rules
        self.files = listed(root)
        self.complaints = []
        self.names = {}  # (folder, name at file scope) -> the .cpp that has it

    def say(self, path, line, what):
        self.complaints.append(f"{path}:{line}: {what}")

    def run(self):
        for path in self.files:
            if not ("/" + path).endswith(TEXT):
                continue
            text = (self.root / path).read_text(encoding="utf-8")
            lines = text.removesuffix("\n").split("\n")
            cpp = CppText(text) if path.endswith((".h", ".cpp")) else None
            self.check_banned(path, lines, cpp.code if cpp else lines)
            if ("/" + path).endswith(CODE):
                self.check_size(path, lines)
            if cpp:
                self.check_functions(path, cpp)
                self.check_sql_literals(path, cpp)
                self.check_includes(path, lines)
                self.check_names(path, cpp)
            if path.endswith(".h"):
                self.check_header(path, lines)
            if path.startswith("sql/queries/"):
                self.check_statements(path, text)
        self.check_modules()
        self.check_every_source_is_built()
        return self.complaints

    # -- one file

    def check_size(self, path, lines):
        limits = self.rules["limits"]
        most = limits["entry_file_lines" if path.startswith("app/") else "file_lines"]
        if len(lines) > most and not matches(path, limits["no_file_limit"]):
            self.say(path, most + 1, f"{len(lines)} lines, at most {most}: split it by concept")
        for number, line in enumerate(lines, 1):
            # A statement's types are one line, which the build and a test read.
            if len(line) > limits["columns"] and not line.startswith(("-- in: ", "-- out: ")):
                self.say(path, number, f"{len(line)} columns, at most {limits['columns']}")
            if line != line.rstrip():
                self.say(path, number, "blanks at the end of the line")

    def check_functions(self, path, cpp):
        most = self.rules["limits"]["function_lines"]
        for first, last in cpp.functions():
            is_table = path.startswith("tests/") and "_data()" in cpp.code[first - 1]
            if last - first + 1 > most and not is_table:
                self.say(path, first, f"function of {last - first + 1} lines, at most {most}")

    def check_banned(self, path, lines, code):
        for rule in self.rules["banned"]:
            if not matches(path, rule["where"]) or matches(path, rule.get("except", [])):
                continue
            pattern = re.compile(rule["pattern"])
            unless = re.compile(rule["unless"]) if "unless" in rule else None
            for number, line in enumerate(lines if rule.get("everywhere") else code, 1):
                found = pattern.search(line)
                if found and not (unless and unless.search(lines[number - 1])):
                    word = found.group().strip(" (")
                    self.say(path, number, f"'{word}' is not used here; instead: {rule['instead']}")

    def check_sql_literals(self, path, cpp):
        rule = self.rules["sql_literals"]
        if not matches(path, rule["where"]) or matches(path, rule["except"]):
            return
        pattern = re.compile(rule["pattern"].replace("\\\n", ""), re.IGNORECASE)
        for number, content in cpp.strings:
            # One word is none yet: COMMIT is a tag of the protocol, SELECT a command of Redis.
            if pattern.search(content) and len(content.split()) > 1:
                self.say(path, number, "SQL in C++: it is a named statement in sql/queries")

    def check_header(self, path, lines):
        if not lines[0].startswith(("//", "/*")):
            self.say(path, 1, "a header opens with what it owns or promises")
        if "#pragma once" not in lines:
            self.say(path, 1, "#pragma once is missing")

    def check_statements(self, path, text):
        for block in re.split(r"^-- name: ", text, flags=re.MULTILINE)[1:]:
            name = block.split("\n", 1)[0].strip()
            code = "\n".join(re.sub(r"--.*", "", line) for line in block.split("\n")[1:])
            if code.rstrip().endswith(";"):
                line = text[: text.index("-- name: " + name)].count("\n") + 1
                self.say(path, line, f"{name} ends with a semicolon: it is one statement")

    # -- includes and layers

    def check_includes(self, path, lines):
        includes = []
        for number, line in enumerate(lines, 1):
            found = re.match(r'\s*#\s*include\s+([<"])([^>"]+)[>"]', line)
            if found:
                includes.append((number, found[1] == '"', found[2]))
        for number, quoted, target in includes:
            if quoted and "/" not in target and not target.endswith(".moc"):
                self.say(path, number, f"\"{target}\": include from the root of the tree")
            self.check_edge(path, number, target)
        own = path.removesuffix(".cpp") + ".h"
        if path.endswith(".cpp") and own in self.files and includes and includes[0][2] != own:
            self.say(path, includes[0][0], f"the first include is the own header, {own}")

    def check_edge(self, path, number, target):
        module = module_of(path)
        if module is None:
            return
        other = module_of(target)
        if other and other != module and not self.may_use(module, other):
            self.say(path, number, f"{module} may not know {other}")
        for prefix, users in self.rules["generated"].items():
            if target.startswith(prefix) and module not in users:
                self.say(path, number, f"{module} runs no SQL")
        for rule in self.rules["third_party"]:
            if not target.startswith(tuple(rule["prefix"])):
                continue
            if not matches(module, rule["owner"]):
                owner = " and ".join(rule["owner"])
                self.say(path, number, f"<{target}> belongs to {owner}")
            elif rule.get("heavy") and path.endswith(".h"):
                self.say(path, number, f"<{target}> stays in a .cpp")

    def may_use(self, module, other):
        allowed = self.rules["layers"].get(module, [])
        return other in allowed or "*" in allowed

    def check_names(self, path, cpp):
        """A unity build, which the single command makes, joins the files of a module."""
        folder = path.rsplit("/", 1)[0]
        if not path.endswith(".cpp") or not matches(path, self.rules["unity"]["where"]):
            return
        for name in sorted(cpp.file_scope_names()):
            first = self.names.setdefault((folder, name), path)
            if first != path:
                self.say(path, 1, f"{name} is defined in {first} too: unity builds join the files")

    # -- the tree

    def check_modules(self):
        most = self.rules["limits"]["readme_lines"]
        folders = {path.rsplit("/", 1)[0] for path in self.files if path.endswith((".h", ".cpp"))}
        for folder in sorted(folders):
            if not re.fullmatch(r"(processor|ui)/[^/]+", folder):
                continue
            if module_of(folder + "/") not in self.rules["layers"]:
                self.say(folder, 0, "module without a layer in rules.toml")
            readme = folder + "/README.md"
            if readme not in self.files:
                self.say(folder, 0, "no README.md: purpose, its one rule, the file to read first")
                continue
            count = len((self.root / readme).read_text(encoding="utf-8").splitlines())
            if count > most:
                self.say(readme, most + 1, f"{count} lines, at most {most}")
        for path in self.files:
            if path.startswith(("processor/", "ui/")) and path.endswith("/CMakeLists.txt"):
                self.check_uses(path)

    def check_uses(self, path):
        text = (self.root / path).read_text(encoding="utf-8")
        for call in re.finditer(r"add_module\(\s*(processor|ui)_(\w+)(.*?)\)", text, re.DOTALL):
            line = text.count("\n", 0, call.start()) + 1
            module = module_of(f"{call[1]}/{call[2]}/")
            for part, name in re.findall(r"\b(processor|ui)_(\w+)", call[3]):
                other = module_of(f"{part}/{name}/")
                if not self.may_use(module, other):
                    self.say(path, line, f"{module} may not use {other}")

    def check_every_source_is_built(self):
        """A test that nobody registers passes for ever."""
        for path in self.files:
            if not path.endswith(".cpp"):
                continue
            folder = pathlib.PurePosixPath(path).parent
            for above in (folder, *folder.parents):
                listing = self.root / above / "CMakeLists.txt"
                name = str(pathlib.PurePosixPath(path).relative_to(above).with_suffix(""))
                # With or without its ending, or what a loop puts behind "tst_".
                bare = re.escape(name.removeprefix("tst_"))
                named = re.compile(rf"(?<![\w./])(tst_)?{bare}(\.cpp)?(?![\w.])")
                if listing.is_file() and named.search(listing.read_text(encoding="utf-8")):
                    break
            else:
                self.say(path, 1, "in no CMakeLists.txt: nobody builds it")


def check(root):
    with open(HERE / "rules.toml", "rb") as rules:
        return Tidy(pathlib.Path(root), tomllib.load(rules)).run()


def main():
    complaints = check(sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent)
    for complaint in complaints:
        print(complaint)
    print(f"tidy: {len(complaints)} complaints" if complaints else "tidy: clean")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
