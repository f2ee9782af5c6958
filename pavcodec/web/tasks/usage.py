"""How to use a task from curl, Python and JavaScript: its example as three programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pprint import pformat
from shlex import quote
from typing import Any, Literal

from pydantic import BaseModel

from pavcodec.web.tasks.task import Question, Task

_ROUNDED = 10**6
_SCALARS = {"boolean", "integer", "null", "number", "string"}


def is_flat(question: type[Question]) -> bool:
    """Whether all fields are texts, numbers, or lists of them, which fit into an address."""
    schema = question.model_json_schema()
    return all(_is_flat(each, schema.get("$defs", {})) for each in schema["properties"].values())


def _is_flat(schema: Mapping[str, Any], parts: Mapping[str, Any]) -> bool:
    if "$ref" in schema:
        return _is_flat(parts[schema["$ref"].rpartition("/")[2]], parts)
    if "anyOf" in schema:
        return all(_is_flat(each, parts) for each in schema["anyOf"])
    inner = schema.get("items", {}) if schema.get("type") == "array" else schema
    is_binary = inner.get("format") in {"base64", "base64url", "binary"}
    return not is_binary and (inner.get("type") in _SCALARS or "enum" in inner)


def _example(task: Task[Any, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = task.example.model_dump(mode="json", exclude_unset=True)
    return fields


def link_fields(task: Task[Any, Any]) -> list[tuple[str, str]]:
    """Return the example of a flat question as the fields of an address.

    Lists give a field for each item.
    """
    pairs = [
        (name, each)
        for name, value in _example(task).items()
        for each in (value if isinstance(value, list) else [value])
        if each is not None
    ]
    return [(name, json.dumps(v) if not isinstance(v, str) else v) for name, v in pairs]


def curl_lines(task: Task[Any, Any], address: str) -> str:
    r"""Return the example as a command of curl; `address` is that of the interface.

    >>> from pavcodec.web.tasks.number import DECODE
    >>> print(curl_lines(DECODE, "https://example.org/api/v1"))
    curl -G 'https://example.org/api/v1/decode' \
      --data-urlencode number=5 \
      --data-urlencode numbering=deal
    """
    save = " -OJ" if task.is_download else ""
    if is_flat(task.question):
        fields = [f"--data-urlencode {quote(f'{name}={text}')}" for name, text in link_fields(task)]
        return " \\\n  ".join([f"curl -G{save} '{address}/{task.name}'", *fields])
    return " \\\n  ".join(
        [
            f"curl{save} '{address}/{task.name}'",
            "-H 'Content-Type: application/json'",
            f"-d {quote(json.dumps(_example(task), ensure_ascii=False))}",
        ]
    )


def python_lines(task: Task[Any, Any], address: str) -> str:
    """Return the example as a program of Python; it needs only the standard library."""
    question = pformat(_example(task), width=80, sort_dicts=False)
    head = "import json\n" + ("import shutil\n" if task.is_download else "")
    ask = f"""\
from urllib.request import Request, urlopen

question = {question}
request = Request(
    "{address}/{task.name}",
    json.dumps(question).encode(),
    {{"Content-Type": "application/json"}},
)
with urlopen(request) as response:
"""
    if task.is_download:
        answer = """\
    with open(response.headers.get_filename(), "wb") as file:
        shutil.copyfileobj(response, file)"""
    else:
        answer = """\
    answer = json.load(response)
print(json.dumps(answer, indent=2))"""
    return head + ask + answer


def javascript_lines(task: Task[Any, Any], address: str) -> str:
    """Return the example as a module of JavaScript, for Node and for browsers."""
    question = json.dumps(_example(task), indent=2, ensure_ascii=False)
    ask = f"""\
const question = {question};
const response = await fetch("{address}/{task.name}", {{
  method: "POST",
  headers: {{"Content-Type": "application/json"}},
  body: JSON.stringify(question),
}});
"""
    if task.is_download:
        return f"""{ask}\
const file = await response.blob();
console.log(file.size);"""
    return f"""{ask}\
const answer = await response.json();
console.log(JSON.stringify(answer, null, 2));"""


_WORDS = {"boolean": "true or false", "integer": "whole number", "string": "text"}


def field_rows(
    model: type[BaseModel], mode: Literal["validation", "serialization"]
) -> list[tuple[str, str, str, str]]:
    """Return name, type, default and description of each field of a question or an answer.

    A field that is needed has no default.

    >>> from pavcodec.web.tasks.number import DECODE
    >>> field_rows(DECODE.question, "validation")[1][:3]
    ('numbering', 'text', '"deal"')
    """
    schema = model.model_json_schema(mode=mode)
    needed = schema.get("required", [])
    return [
        (
            name,
            _type(each),
            "" if name in needed or "default" not in each else json.dumps(each["default"]),
            each.get("description", ""),
        )
        for name, each in schema.get("properties", {}).items()
    ]


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of a field in words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " or ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    words = _WORDS.get(schema.get("type", ""), schema.get("type", "any value"))
    least, most = schema.get("minimum"), schema.get("maximum", _ROUNDED)
    return words if least is None or most >= _ROUNDED else f"{words} from {least:,g} to {most:,g}"
