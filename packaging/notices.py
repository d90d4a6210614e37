"""The licences of everything that is in the program: notices.py TARGET [PAGE] > FILE

Their terms ask that copies of the program carry them. The texts are those that each crate ships; a crate without one is
listed with the licence that it declares. PAGE is the folder of `make playground`, where it is part of the program.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("license", "licence", "copying", "copyright", "notice", "unlicense")
RULE = "=" * 100

MUSL = """\
musl as a whole is licensed under the following standard MIT license:

Copyright © 2005-2020 Rich Felker, et al.

Permission is hereby granted, free of charge, to any person obtaining
a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def crates(package: str, target: str) -> list[tuple[str, str, Path]]:
    """Name, licence and folder of each crate that ends up in a package, but for our own."""
    words = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    metadata = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout)
    packages = {each["id"]: each for each in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    ahead = [each["id"] for each in metadata["packages"] if each["name"] == package and each["source"] is None]
    seen: set[str] = set()
    while ahead:
        identity = ahead.pop()
        if identity in seen:
            continue
        seen.add(identity)
        for dependency in nodes[identity]["deps"]:
            # Not what only builds or tests it.
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                ahead.append(dependency["pkg"])
    others = sorted((packages[identity] for identity in seen if packages[identity]["source"]), key=lambda p: (p["name"], p["version"]))
    return [(f"{p['name']} {p['version']}", p["license"] or "see its text", Path(p["manifest_path"]).parent) for p in others]


def texts(folder: Path) -> list[Path]:
    """The files with licences in a folder, and in those of C code below it."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.stem.lower().startswith(NAMES)]
    code = {".rs", ".c", ".h", ".js", ".ts", ".py", ".map"}
    return sorted(path for path in found if path.suffix not in code and "node_modules" not in path.relative_to(folder).parts)


def main() -> None:
    target = sys.argv[1]
    page = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    parts = crates("atl", target)
    if "musl" not in target:
        known = {part[0] for part in parts}
        parts += [part for part in crates("atl-python", target) if part[0] not in known]
    vendor = ROOT / "crates" / "analysis" / "atl-report" / "assets" / "vendor"
    parts += [(folder.name, "MIT", folder) for folder in sorted(vendor.iterdir()) if folder.is_dir()]
    owners: dict[str, list[str]] = {}
    listed = []
    for name, licence, folder in parts:
        listed.append(f"  {name}: {licence}")
        for path in texts(folder):
            text = path.read_text(encoding="utf-8", errors="replace").strip().replace("\r\n", "\n")
            owners.setdefault(text, []).append(name)
    out = ["atl is licensed under Apache-2.0 or MIT, at your choice. It contains the following works of others.", ""]
    out += [*listed, "  the Rust standard library: MIT OR Apache-2.0"]
    if "musl" in target:
        out.append("  musl: MIT")
        owners.setdefault(MUSL.strip(), []).append("musl")
    for text, names in owners.items():
        out += ["", RULE, ", ".join(dict.fromkeys(names)), RULE, "", text]
    if page is not None:
        out += ["", RULE, "the page of atl playground", RULE, "", (page / "licences.txt").read_text().strip()]
    print("\n".join(out))


if __name__ == "__main__":
    main()
