#!/usr/bin/env python3
"""The house rules tested on themselves: a clean tree passes, each kind of violation is named."""

import pathlib
import tempfile
import unittest

import tidy

HEADER = "// Promises something.\n#pragma once\n"
CLEAN = {
    "processor/base/CMakeLists.txt": "add_module(processor_base SOURCES log.cpp)\n",
    "processor/base/README.md": "# base\n",
    "processor/base/log.h": HEADER,
    "processor/base/log.cpp": '#include "processor/base/log.h"\n\n#include <spdlog/logger.h>\n'
    "int width(const A& a, int b)\n{\n    return 2;\n}\n"
    "int width(const B& b)\n{\n    return 3;\n}\n",
    "processor/store/CMakeLists.txt": "add_module(processor_store SOURCES event_store.cpp\n"
    "    USES processor_pg processor_base)\n",
    "processor/store/README.md": "# store\n",
    "processor/store/event_store.h": HEADER + '#include "processor/pg/rows.h"\n',
    "processor/store/event_store.cpp": '#include "processor/store/event_store.h"\n\n'
    '#include "sql/event.h"\n'
    "// sleep(1) in a comment and in a string is no call\n"
    'const char* text = "sleep(1); // TO" "DO";\n'
    'const char* sentence = "update failed, select another host";\n',
    "app/countersignd.cpp": '#include "processor/daemon/serve.h"\n',
    "app/CMakeLists.txt": "add_executable(countersignd countersignd.cpp)\n",
    "sql/queries/event.sql": "-- name: event_read\n-- in: bigint\nSELECT 1 -- really;\n",
    "tests/support/wait.h": HEADER + "std::this_thread::sleep_for(pause);\n",
}
CPP = "processor/store/event_store.cpp"
OWN = '#include "processor/store/event_store.h"\n'


def body(lines):
    """A class with one member function of so many lines, head and brace included."""
    return "class X : public Base<X>\n{\npublic:\n    int f()\n    {\n%s    }\n};\n" % (
        "        g();\n" * (lines - 3)
    )


# name: (path, content, what the complaint must say)
CASES = {
    "upward include": ("processor/base/log.cpp", '#include "processor/base/log.h"\n'
                       '#include "processor/store/event_store.h"\n', "base may not know store"),
    "sibling include": ("processor/settle/x.h", HEADER + '#include "processor/ingest/y.h"\n',
                        "settle may not know ingest"),
    "app past the daemon": ("app/countersignd.cpp", '#include "processor/pg/rows.h"\n',
                            "app may not know pg"),
    "console past its layer": ("ui/models/x.h", HEADER + '#include "ui/widgets/y.h"\n',
                               "ui/models may not know ui/widgets"),
    "console in the stores": ("ui/data/x.h", HEADER + '#include "processor/pg/rows.h"\n',
                                         "ui/data may not know pg"),
    "processor in the console": (CPP, OWN + '#include "ui/data/x.h"\n',
                                 "store may not know ui/data"),
    "libpq in the console": ("ui/data/x.h", HEADER + "#include <libpq-fe.h>\n",
                             "<libpq-fe.h> belongs to pg"),
    "Qt in the processor's program": ("app/countersignd.cpp", "#include <QString>\n",
                                      "<QString> belongs to ui/*"),
    "console USES upward": ("ui/data/CMakeLists.txt",
                            "add_module(ui_data SOURCES x.cpp USES ui_pages)\n",
                            "ui/data may not use ui/pages"),
    "nested loop": ("ui/data/x.h", HEADER + "QEventLoop loop;\n", "the GUI thread neither waits"),
    "upward USES": ("processor/base/CMakeLists.txt",
                    "add_module(processor_base SOURCES log.cpp\n    PRIVATE_USES processor_pg)\n",
                    "base may not use pg"),
    "SQL where none is run": ("processor/base/log.h", HEADER + '#include "sql/event.h"\n',
                              "base runs no SQL"),
    "foreign third party": (CPP, OWN + "#include <libpq-fe.h>\n", "<libpq-fe.h> belongs to pg"),
    "heavy header": ("processor/base/log.h", HEADER + "#include <spdlog/logger.h>\n",
                     "<spdlog/logger.h> stays in a .cpp"),
    "Qt in the processor": (CPP, OWN + "#include <QString>\n", "<QString> belongs to ui/*"),
    "SQL literal": (CPP, OWN + 'run("SELECT 1");\n', "SQL in C++"),
    "SQL literal in pieces": (CPP, OWN + 'run("UPDATE "\n    "balances SET version = 1");\n',
                              "SQL in C++"),
    "SQL literal, raw": (CPP, OWN + 'run(R"sql(\n  delete from users)sql");\n', "SQL in C++"),
    "long file": (CPP, OWN + "int x;\n" * 400, "401 lines, at most 400"),
    "long entry file": ("app/countersignd.cpp", "int x;\n" * 81, "81 lines, at most 80"),
    "long function": (CPP, OWN + body(71), "function of 71 lines, at most 70"),
    "long template": (CPP, OWN + "template <class T, class U = A<B>>\nint f()\n{\n"
                      + "    g();\n" * 68 + "}\n", "function of 72 lines"),
    "long line": (CPP, OWN + "// " + "x" * 98 + "\n", "101 columns, at most 100"),
    "blanks at the end": (CPP, OWN + "int x; \n", "blanks at the end"),
    "sleep": (CPP, OWN + "std::this_thread::sleep_for(1s);\n", "'sleep_for' is not used here"),
    "sleep in a test": ("tests/support/wait.cpp", '#include "tests/support/wait.h"\nusleep(1);\n',
                        "support::waitUntil"),
    "system": (CPP, OWN + 'std::system("x");\n', "'system' is not used here"),
    "stod": (CPP, OWN + "auto x = std::stod(text);\n", "domain::Amount"),
    "regex": (CPP, OWN + "std::regex pattern;\n", "'std::regex' is not used here"),
    "sprintf": (CPP, OWN + "sprintf(to, from);\n", "'sprintf' is not used here"),
    "printf": (CPP, OWN + "printf(text);\n", "base::log"),
    "cout": (CPP, OWN + "std::cout << 1;\n", "base::log"),
    "gmtime": (CPP, OWN + "gmtime(&now);\n", "gmtime_r"),
    "rand": (CPP, OWN + "int x = rand();\n", "'rand' is not used here"),
    "assert": (CPP, OWN + "assert(x);\n", "CHECK"),
    "throw": (CPP, OWN + "throw 1;\n", "nothing of ours throws"),
    "double near money": (CPP, OWN + "double x;\n", "no floating point near money"),
    "using in a header": ("processor/base/log.h", HEADER + "using namespace std;\n",
                          "the qualified name"),
    "advisory lock": ("sql/queries/event.sql", "-- name: x\nSELECT pg_advisory_lock(1)\n",
                      "row locks"),
    "leftover": (CPP, OWN + "// TO" "DO: later\n", "finish it"),
    "skipped test": ("tests/support/wait.h", HEADER + 'QS' 'KIP("no server");\n', "finish it"),
    "no README": ("processor/pg/rows.h", HEADER, "no README.md"),
    "long README": ("processor/base/README.md", "x\n" * 21, "21 lines, at most 20"),
    "unknown module": ("processor/utils/x.h", HEADER, "module without a layer"),
    "no pragma": ("processor/base/log.h", "// Promises something.\n", "#pragma once is missing"),
    "no opening comment": ("processor/base/log.h", "#pragma once\n", "a header opens with"),
    "own header not first": (CPP, '#include "sql/event.h"\n' + OWN, "the first include is"),
    "include not from the root": (CPP, OWN + '#include "rows.h"\n', "from the root"),
    "statement with semicolon": ("sql/queries/event.sql", "-- name: x\nSELECT 1; -- end\n",
                                 "x ends with a semicolon"),
    "name twice in a module": ("processor/store/twin.cpp", 'constexpr const char* text = "x";\n',
                               "text is defined in processor/store/event_store.cpp too"),
    "function twice in a module": ("processor/base/twin.cpp", "int width(const A& x, int y)\n{\n"
                                   "    return 1;\n}\n", "width(const A&, int) is defined in"),
    "source nobody builds": ("processor/base/lost.cpp", "int x;\n", "nobody builds it"),
}


class TidyTest(unittest.TestCase):
    def complaints(self, tree):
        with tempfile.TemporaryDirectory() as folder:
            for path, content in tree.items():
                file = pathlib.Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content, encoding="utf-8")
            return tidy.check(folder)

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.complaints(CLEAN), [])

    def test_the_longest_function_and_line_allowed_pass(self):
        content = OWN + body(70) + "// " + "ö" * 97 + "\n"
        self.assertEqual(self.complaints({**CLEAN, CPP: content}), [])

    def test_the_rows_of_a_test_may_be_many(self):
        table = "class X\n{\n    void rows_data()\n    {\n%s    }\n};\n" % ("        g();\n" * 90)
        path = "tests/support/wait.h"
        self.assertEqual(self.complaints({**CLEAN, path: HEADER + table}), [])

    def test_what_says_why_it_is_no_amount_may_be_floating(self):
        content = OWN + "double x; // seconds, for a metric\n"
        self.assertEqual(self.complaints({**CLEAN, CPP: content}), [])

    def test_each_violation_is_named(self):
        for name, (path, content, expected) in CASES.items():
            with self.subTest(name):
                found = self.complaints({**CLEAN, path: content})
                self.assertTrue(any(expected in line for line in found), found)
                self.assertTrue(found[0].startswith(path.rsplit("/", 1)[0]), found)

    def test_every_banned_word_has_a_case(self):
        with open(tidy.HERE / "rules.toml", "rb") as file:
            rules = tidy.tomllib.load(file)
        seen = " ".join(
            line for path, content, _ in CASES.values()
            for line in self.complaints({**CLEAN, path: content})
        )
        for rule in rules["banned"]:
            self.assertIn(rule["instead"], seen)


if __name__ == "__main__":
    unittest.main()
