"""Makes python/atl/types.py, the types of scenarios: reads the JSON Schema, prints the module. `make generate` runs it."""

from __future__ import annotations

import json
import sys
from typing import Any

HEAD = '''"""Types of scenarios, for completion and type checkers.

Generated from the JSON Schema by `make generate`: do not edit. Ranges and rules between keys are
checked when a scenario is read. Any value may be a variable, a text such as `"$queue"`.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

'''


def class_name(definition: str) -> str:
    words = definition.replace(".", "-").replace("NAME", "named").split("-")
    return "".join(word.capitalize() for word in words)


def union(options: list[str]) -> str:
    seen = list(dict.fromkeys(option for option in options if option != "Any"))
    if len(seen) < len(set(options)) or not seen:
        return "Any"
    return seen[0] if len(seen) == 1 else f"Union[{', '.join(seen)}]"


def type_of(schema: Any, defs: dict[str, Any], within: tuple[str, ...] = ()) -> str:
    """A schema as a type; `within` are the definitions that it stands in: one that holds itself is any value."""
    if not isinstance(schema, dict) or not schema:
        return "Any"
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        inner = defs[name]
        if is_table(inner):
            return class_name(name)
        return "Any" if name in within else type_of(inner, defs, (*within, name))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return union([type_of(option, defs, within) for option in schema[key]])
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(repr(word) for word in schema['enum'])}]"
    kind = schema.get("type")
    if isinstance(kind, list):
        return union([type_of({**schema, "type": one}, defs, within) for one in kind])
    if kind == "array":
        return f"list[{type_of(schema.get('items'), defs, within)}]"
    if kind == "object":
        values = schema.get("additionalProperties") or next(iter(schema.get("patternProperties", {}).values()), None)
        return f"dict[str, {type_of(values, defs, within)}]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}.get(kind, "Any")


def is_table(schema: dict[str, Any]) -> bool:
    return bool(schema.get("properties"))


def table(name: str, schema: dict[str, Any], defs: dict[str, Any]) -> str:
    lines = [f"{name} = TypedDict(", f'    "{name}",', "    {"]
    for key, value in schema["properties"].items():
        for line in value.get("description", "").splitlines():
            lines.append(f"        # {line}".rstrip())
        lines.append(f"        {json.dumps(key)}: {json.dumps(type_of(value, defs))},")
    lines += ["    },", "    total=False,", ")"]
    about = schema.get("description", "").replace("\n", " ")
    return "\n".join(lines) + (f'\n"""{about}"""\n' if about else "\n")


def module(schema: dict[str, Any]) -> str:
    defs = schema["$defs"]
    tables = [table(class_name(name), inner, defs) for name, inner in defs.items() if is_table(inner)]
    tables.append(table("ScenarioDict", schema, defs))
    return HEAD + "\n".join(tables)


def main() -> int:
    sys.stdout.buffer.write(module(json.load(sys.stdin.buffer)).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
