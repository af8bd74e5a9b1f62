"""The interfaces in the site: C from the comments of the headers, by Doxygen; Python from the docstrings, by mkdocstrings."""
import ast
import os
import re
import shutil
import subprocess
import sys

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
FIRST = ("model", "things", "simulation", "settings") # then the other modules, in the order of their names
PACKAGE = os.path.join(SOURCE, "python", "src", "cairn")


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


# ------------------------------------------------------------------------------------------------------------------ C


def marked_comments(path):
    """A header with its plain comments marked for Doxygen: /** before a declaration, /**< behind one; cairn.h is the main page."""
    command = "@mainpage" if os.path.basename(path) == "cairn.h" else "@file"
    text = re.sub(r"\A/\*", f"/** {command}\n *", read(path))
    text = re.sub(r"^( *)/\*(?=\s)(?! *-{4})", r"\1/**", text, flags=re.M)
    return re.sub(r"^(.*\S.*?)/\* (?!@)", lambda match: match[0] if "*/" in match[1] else match[1] + "/**< ", text, flags=re.M)


def c_page():
    """The headers with what they hold, from the list in cairn.h, each linked to Doxygen's page of it."""
    text = "# The C interface\n\n[All functions, types and files](api/index.html), from the comments of the headers.\n\n"
    text += "| header | contents |\n|---|---|\n"
    headers = os.path.join(SOURCE, "include", "cairn")
    listed = re.findall(r"^ \*     (\w+)\.h +(.*)$", read(os.path.join(headers, "cairn.h")), flags=re.M)
    forgotten = {name[:-2] for name in os.listdir(headers)} - {"cairn"} - {name for name, _ in listed}
    if forgotten:
        sys.exit(f"build_book.py: the list at the head of cairn.h lacks {', '.join(sorted(forgotten))}")
    for name, contents in listed:
        text += f"| [`cairn/{name}.h`](api/{name}_8h.html) | {contents} |\n"
    return text + "\n[Your own system in C](docs/book/own-system.md) and [embedding](docs/embedding.md) introduce the library.\n"


def build_c_interface(output):
    program = shutil.which("doxygen")
    if not program:
        sys.exit("build_book.py: doxygen is missing; 'tools/install_packages.sh book' installs it")
    api = os.path.join(output, "site", "api")
    shutil.rmtree(api, ignore_errors=True)
    config = read(os.path.join(SOURCE, "docs", "book", "Doxyfile"))
    headers = os.path.join(SOURCE, "include", "cairn")
    config += (f'INPUT = "{headers}"\nSTRIP_FROM_PATH = "{os.path.dirname(headers)}"\nOUTPUT_DIRECTORY = "{api}"\n'
               f'INPUT_FILTER = "{sys.executable} {os.path.abspath(__file__)}"\n')
    os.makedirs(api)
    subprocess.run([program, "-"], input=config, text=True, check=True)


# ------------------------------------------------------------------------------------------------------------- Python


def public_names():
    """The public names of the package by the modules that define them."""
    tree = ast.parse(read(os.path.join(PACKAGE, "__init__.py")))
    public = next(ast.literal_eval(node.value) for node in tree.body
                  if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    modules = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            modules.setdefault(node.module, []).extend(alias.name for alias in node.names if alias.name in public)
    lost = set(public) - {name for names in modules.values() for name in names}
    if lost:
        sys.exit(f"build_book.py: cairn/__init__.py imports no module for {', '.join(sorted(lost))}")
    order = sorted(modules, key=lambda module: FIRST.index(module) if module in FIRST else len(FIRST))
    return {module: modules[module] for module in order if modules[module]}


def field_comments(struct):
    """The comments above the fields of a struct that models take, or behind them, by field. It may lack the ending `_options`."""
    headers = "".join(read(os.path.join(SOURCE, "include", "cairn", name + ".h")) for name in ("model", "population", "statistics", "query"))
    pattern = r"^typedef struct {0}\n\{{\n(.*?)^\}} {0};"
    found = (re.search(pattern.format(name), headers, flags=re.M | re.S) for name in (struct + "_options", struct))
    body = next((match for match in found if match), None)
    comments, above = {}, ""
    for words, fields, behind in re.findall(r"/\*(.*?)\*/|([^/;]+);(?: */\*(.*?)\*/)?", body[1] if body else "", flags=re.S):
        comment = re.sub(r"\s*\n\s*\*\s*", " ", behind or above or "").strip()
        comments.update((name, comment) for name in re.findall(r"(\w+)(?:\[\w+\])*(?=,|$)", fields))
        above = words
    return comments


def keyword_tables():
    """The keywords of the functions that build models: names and types from keywords.py, meanings from the C headers."""
    text = "\n## Keywords {#keywords}\n\nNames of the settings, `SettingsOptions`, are in [scene files](docs/scene-file.md#simulation).\n"
    for node in ast.parse(read(os.path.join(PACKAGE, "keywords.py"))).body:
        if isinstance(node, ast.ClassDef) and node.name != "SettingsOptions":
            noun = re.sub(r"(?<!^)(?=[A-Z])", "_", node.name[: -len("Options")]).lower()
            comments = field_comments("cairn_" + noun)
            text += f"\n### {node.name} {{#{node.name}}}\n\n| keyword | type | meaning |\n|---|---|---|\n"
            for field in (line for line in node.body if isinstance(line, ast.AnnAssign)):
                kind = ast.unparse(field.annotation).replace("|", "\\|")
                text += f"| `{field.target.id}` | `{kind}` | {comments.get(field.target.id, '').replace('|', chr(92) + '|')} |\n"
    return text


def python_page():
    """A page for mkdocstrings: the package, its public names by module, and the environments."""
    text = "# The Python interface\n\nFrom the docstrings. [Cairn from Python](docs/python.md) introduces the package.\n"
    for module, names in public_names().items():
        about = ast.get_docstring(ast.parse(read(os.path.join(PACKAGE, module + ".py")))) or ""
        text += f"\n## {about.split(chr(10) * 2)[0].split('. ')[0].split(':')[0].rstrip('.')} {{#{module.strip('_')}}}\n"
        text += "".join(f"\n::: cairn.{name}\n" for name in names)
    text += keyword_tables() + "\n## Environments for Gymnasium {#environments}\n\n"
    return text + "::: cairn.environments\n    options: {show_root_heading: false}\n"


if __name__ == "__main__": # Doxygen's filter
    sys.stdout.write(marked_comments(sys.argv[1]))
