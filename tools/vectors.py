"""Write the vectors that pavcodec computes, and the page and the checksums of all vectors.

    python tools/vectors.py             write what differs
    python tools/vectors.py --check     name what differs, exit 1

Vectors from outside, and those whose file is older than this tool, are never written: the tests
compare pavcodec with them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pavcodec as pav

FIXTURES = Path(__file__).parent.parent / "fixtures"
FOLDER = FIXTURES / "vectors"
MANIFEST = FIXTURES / "MANIFEST.tsv"
Rows = Iterable[dict[str, Any]]
Reader = Callable[[str, str], object]

DEFINITIONS = {
    "andrews": "numberings/andrews",
    "andrews-scrambled": "numberings/andrews",
    "article-case-tables": "studies/cases",
    "bba": "numberings/codes",
    "bigdeal": "numberings/andrews",
    "bigdeal-seed": "tournament",
    "codes": "numberings/codes",
    "constraints": "constraints/counting",
    "deal": "numberings/deal",
    "deal-ranked": "numberings/deal",
    "deal-scrambled": "numberings/deal",
    "deal-suits": "numberings/deal-suits",
    "deal-suits-turns": "numberings/deal-suits",
    "deal-wnes": "numberings/deal",
    "endings": "numberings/endings",
    "features": "learning/index",
    "legal": "numberings/endings",
    "legal-counts": "studies/legal",
    "legal-mid-counts": "studies/legal",
    "pav-1": "random",
    "pav-permutation-1": "random",
    "pav-sorted-set-1": "random",
    "records": "records/index",
    "refused": "numberings/index",
    "rpdd": "numberings/deal",
}
"""The page that defines what a file holds, in docs."""

WRONG_NUMBERS = ("-1", "10000000000000000000000000000000000000000")
WRONG_LAYOUTS = (
    "N:AA... K... Q... J...",
    "N:A... A... Q... J...",
    "N:X... K... Q... J...",
    "N:A... K... Q...",
    "N:A... K... Q... J... T...",
    "N:A.. K... Q... J...",
    "N:A.... K... Q... J...",
    "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT9876543",
    "N:AKQJT98765432.A.. .KQJT98765432.. ..AKQJT98765432. ...AKQJT98765432",
    "N:AKQJT98765432.A.. - - -",
    "N:- - - -",
)
WRONG_CODES: dict[str, tuple[str, ...]] = {
    "bba": ("0B3CD6221C1F6C3618282E9C93F", "0B3CD6221C1F6C3618282E9C93FF"),
    "dlm": ("dabaakpgflgjhigkdojdfmnphc012", "dabaakpgflgjhigkdojdfmnphq013"),
    "ber": ("1" * 52, "5" * 52),
    "ww-deal": ("ad55e315634dda658bf49200",),
}
WRONG_RECORDS: dict[str, tuple[str, ...]] = {
    "deal12": ("0092f48b65da4d6315e355ad", "00"),
    "balanced14": ("ff" * 14,),
    "ending15": ("ff" * 15,),
    "legal14": ("ff" * 14,),
    "base5-16": ("ff" * 16,),
    "deal13": ("00" * 13,),
    "layout20": ("ff" * 20,),
}
OF_LAYOUTS = ("deal13", "layout20", "zbs-diagram")


def vectors(name: str) -> list[dict[str, Any]]:
    """Return the vectors of a file, one of each line."""
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines()]


def deals_wnes() -> Rows:
    """Yield the numbers of `deal.jsonl` with their deals in `deal-wnes`."""
    ranks = pav.numbering("deal-wnes")
    for row in vectors("deal"):
        yield {**row, "pbn": str(ranks.unrank(int(row["number"]))), "numbering": "deal-wnes"}


def codes() -> Rows:
    """Yield the text of twelve deals in each code, with the board if the text has it."""
    for name in pav.code_names(rare=True):
        code = pav.code(name)
        for index, row in enumerate(vectors("deal")[::10], start=1):
            board = 1 if name == "bhg" else index  # the text starts with the dealer's hand
            deal = pav.Deal.from_pbn(row["pbn"])
            text = code.format(deal, board=board)
            yield {"code": name, "text": text, "board": code.parse_board(text)[1], "pbn": str(deal)}


def records() -> Rows:
    """Yield the bytes of numbers, deals and layouts."""
    for ranks in (pav.numbering(name) for name in ("deal", "balanced", "ending", "legal", "base5")):
        last = ranks.cardinality - 1
        for number in (0, 1, 258, last // 3, last):
            layout = ranks.unrank(number)
            yield {
                "record": ranks.record.name,
                "number": str(number),
                "pbn": str(layout),
                "hex": ranks.to_bytes(layout).hex(),
            }
    for name in OF_LAYOUTS:
        for row in vectors("deal" if name == "deal13" else "endings")[::8]:
            kind = pav.Deal if name == "deal13" else pav.Layout
            layout = kind.from_pbn(row["pbn"])
            yield {"record": name, "pbn": str(layout), "hex": pav.record(name).build(layout).hex()}


def unrank(name: str, text: str) -> object:
    """Return the layout of a number."""
    return pav.numbering(name).unrank(int(text))


def rank(name: str, text: str) -> object:
    """Return the number of a layout."""
    return pav.numbering(name).rank(pav.Layout.from_pbn(text))


def read_code(name: str, text: str) -> object:
    """Return the deal of a code."""
    return pav.code(name).parse(text)


def read_record(name: str, text: str) -> object:
    """Return the value of a record."""
    return pav.record(name).parse(bytes.fromhex(text))


def refused() -> Rows:
    """Yield what each numbering, code and record refuses, with the first line of the reason."""
    numberings = {name: pav.numbering(name).cardinality for name in pav.numbering_names()}
    numbers: dict[str, tuple[str, ...]] = {
        name: (*WRONG_NUMBERS, str(most)) for name, most in numberings.items()
    }
    layouts: dict[str, tuple[str, ...]] = dict.fromkeys(numberings, WRONG_LAYOUTS)
    tables: tuple[tuple[str, str, dict[str, tuple[str, ...]], Reader], ...] = (
        ("numbering", "number", numbers, unrank),
        ("numbering", "pbn", layouts, rank),
        ("code", "text", WRONG_CODES, read_code),
        ("record", "hex", WRONG_RECORDS, read_record),
    )
    for kind, key, wrong, read in tables:
        for name, texts in wrong.items():
            for text in texts:
                try:
                    read(name, text)
                except pav.PavError as error:
                    yield {kind: name, key: text, "error": str(error).splitlines()[0]}


COMPUTED: dict[str, Callable[[], Rows]] = {
    "deal-wnes": deals_wnes,
    "codes": codes,
    "records": records,
    "refused": refused,
}
WHAT = {
    "deal-wnes.jsonl": "numbering deal-wnes, both ways: the numbers of deal.jsonl",
    "codes.jsonl": "every code: 12 deals each, the board if the text has it; in bhg North deals",
    "records.jsonl": "the bytes of numbers, deals and layouts in eight records",
    "refused.jsonl": "what numberings, codes and records refuse, each with the reason",
    "README.md": "the page of the vectors",
    "LICENSE.txt": "the licence of the vectors and of their readers, CC0 1.0",
}
PAGE = """\
# Vectors

<!-- Made by tools/vectors.py. Do not edit. -->

Test vectors for people who write these numberings, codes, records and streams in other languages.
Version 1. A vector never changes; the version grows when vectors are added. `../MANIFEST.tsv` has
the SHA-256 of each file. What pavcodec wrote or computed here, the readers too, is in the public
domain ([CC0 1.0](LICENSE.txt)). Some files hold results of other programs and articles: the column
*source* names them, and we claim no rights in them.

In a `.jsonl` file each line is a JSON object, one vector. Integers that may exceed 53 bits are
decimal text, deals and layouts are PBN (`-` is an empty hand), bytes are hexadecimal in the order
of the file. Cards are SA SK ... C2 and seats N E S W, unless the definition says otherwise.

- **Edge cases** are in each file: the first and the last numbers, powers, the ends of blocks
  (13, 12 ... 1 cards in each hand in `balanced`), voids and empty hands.
- **Errors** are in `refused.jsonl`: an input, the numbering, code or record that must refuse it,
  and the reason. The reason is that of pavcodec; your words may differ.

## Readers

The programs in `readers` convert numbers of ten numberings both ways, and refuse what is wrong.
Each has less than 100 lines, needs only its language, and passes all vectors of its numberings.

| | C | JavaScript | Rust |
|---|---|---|---|
| `deal`, `deal-ranked`, `deal-wnes`, `deal-scrambled` | `deals.c` | `deals.js` | `deals.rs` |
| `andrews`, `andrews-scrambled`, `bigdeal` | `hands.c` | `deals.js` | `deals.rs` |
| `balanced`, `ending`, `base5` | `endings.c` | `endings.js` | `endings.rs` |

```sh
cc -O2 deals.c -o deals
echo "deal unrank 12345678901234567890123456789" | ./deals
```

## Files

| file | what it holds | source | definition |
|---|---|---|---|
"""


def page(rows: list[list[str]]) -> str:
    """Return the page of the folder."""
    lines = []
    for name, what, source, _ in rows:
        file = name.removeprefix("vectors/")
        target = DEFINITIONS.get(file.split(".")[0])
        link = f"[{target}](../../docs/{target}.md)" if target else ""
        if file.endswith((".jsonl", ".json")):
            lines.append(f"| `{file}` | {what} | {source} | {link} |\n")
    return PAGE + "".join(lines)


def main() -> int:
    """Write or check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    texts = {
        f"{name}.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows())
        for name, rows in COMPUTED.items()
    }
    head, *lines = MANIFEST.read_text().splitlines()
    listed = {line.split("\t")[0]: line.split("\t") for line in lines}
    for path in [*(FOLDER / "readers").iterdir(), *(FOLDER / file for file in WHAT)]:
        name = str(path.relative_to(FIXTURES))
        what = WHAT.get(path.name, f"a reader of vectors: {path.name}")
        source = "computed by pavcodec" if path.stem in COMPUTED else "written for pavcodec"
        if path.stem == "deal-wnes":
            source += "; the readers in C, JavaScript and Rust agree"
        if path.name == "LICENSE.txt":
            source = "Creative Commons"
        listed[name] = [name, what, source, ""]
    of_vectors = sorted(row for name, row in listed.items() if name.startswith("vectors/"))
    texts["README.md"] = page(of_vectors)
    for row in of_vectors:
        file = row[0].removeprefix("vectors/")
        data = texts[file].encode() if file in texts else (FOLDER / file).read_bytes()
        row[3] = hashlib.sha256(data).hexdigest()
    manifest = "\n".join([head, *("\t".join(row) for _, row in sorted(listed.items()))]) + "\n"
    wanted = {MANIFEST: manifest, **{FOLDER / file: text for file, text in texts.items()}}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if not check:
            path.write_text(wanted[path])
        print(f"{path.relative_to(FIXTURES.parent)}: {'differs' if check else 'written'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
