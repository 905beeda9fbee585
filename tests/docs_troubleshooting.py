"""usage: docs_troubleshooting.py ROOT

docs/troubleshooting.md lists every message of the engine, and no other. A message is a string literal with more than one
word in a source file of FOLDERS; names of things, which are no messages, are in NAMES. In the document a message is the
first code span of a list item or of a row of a table; `…` stands for every conversion of printf.

To add a message: write it in the sources, then a row in the section of the document that it belongs to, with its
meaning and a remedy.
"""
import pathlib
import re
import sys

FOLDERS = "curve block strand body constraint force solve world cable".split()

NAMES = {
    "end stop at the start", "end stop at the end", "revolute coordinate", "prismatic coordinate",
    "point mass", "viscous friction", "sliding point", "unknown status", "a strand",
    "section radius", "section inner_radius", "section size[0]", "section size[1]", "section mass",
    "section stretching", "section bending[0]", "section bending[1]", "section twisting",
    "section rotary_inertia", "the step", "inverse statics", "adding a strand",
    "the search for an equilibrium", "the count of unstable directions", "the search for frequencies",
}

TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|^[ \t]*#[ \t]*include[^\n]*|\'(?:\\.|[^\'\\])+\''
    r'|(?P<text>"(?:\\.|[^"\\])*"(?:(?:\s|/\*.*?\*/)*"(?:\\.|[^"\\])*")*)', re.S | re.M)


def normalised(text):
    text = re.sub(r"%[-+ 0#]*[0-9]*(?:\.[0-9]+)?(?:l|ll|z)?[a-zA-Z]", "…", text.replace('\\"', '"'))
    return text.strip().lstrip(";:, ").strip()


def messages_of(source):
    for token in TOKENS.finditer(source):
        if not token["text"]:
            continue
        text = normalised("".join(re.findall(r'"((?:\\.|[^"\\])*)"', token["text"])))
        if " " in text and re.search("[a-z]{3}", text) and text not in NAMES:
            yield text


def main():
    root = pathlib.Path(sys.argv[1])
    document = root / "docs" / "troubleshooting.md"
    listed = re.findall(r"^(?:\||-) `` ?(.*?) ?``|^(?:\||-) `([^`]*)`", document.read_text(), re.M)
    listed = [text for pair in listed for text in pair if " " in text]
    sources = {}
    for folder in FOLDERS:
        for path in sorted((root / "src" / folder).rglob("*.c")):
            for text in messages_of(path.read_text()):
                sources.setdefault(text, path.relative_to(root))
    wrong = []
    for text, path in sources.items():
        if text not in listed:
            wrong.append(f"{path}: docs/troubleshooting.md has no row for this message; add\n"
                         f"    | `{text}` | its meaning, and a remedy |")
    for text in listed:
        if text not in sources:
            wrong.append(f"docs/troubleshooting.md: no source has this message; remove or correct it\n    {text}")
    for text in {text for text in listed if listed.count(text) > 1}:
        wrong.append(f"docs/troubleshooting.md: listed more than once\n    {text}")
    if not sources:
        wrong.append("no message was found in the sources")
    print("\n".join(wrong) if wrong else f"{len(sources)} messages, all in docs/troubleshooting.md")
    return 1 if wrong else 0


sys.exit(main())
