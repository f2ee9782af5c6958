"""Check: what pavcodec and other programs refuse in scripts, or read differently."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pavcodec.errors import TextError
from pavcodec.files.text import blocks, decode
from pavcodec.questions.asking import Answer, Question, ask
from pavcodec.questions.deals import ScriptError, parameters, values_of
from pavcodec.questions.inputs import name_of, open_input

if TYPE_CHECKING:
    from pavcodec.constraints.scripts.check import Finding

_PROGRAMS = ("bbo", "dealer", "dealerv2", "dealer3")


@dataclass(frozen=True)
class Check(Question):
    """Check scripts for pavcodec and for other dealing programs."""

    name: ClassVar[str] = "check"
    indent: ClassVar[int | None] = 2
    is_function: ClassVar[bool] = False
    examples: ClassVar[str] = """\
  pavcodec check stayman.dlr
  pavcodec check --for bbo *.dlr
  printf 'predeal spades(west)==9' | pavcodec check - --for dealer"""
    details: ClassVar[str] = """\
check prints one line for each finding: file:line:column: text. It prints what pavcodec refuses, as
an error, and warns of, and what BBO, the classic dealer, DealerV2 or Dealer3 refuses or reads
differently. --for
limits the findings to one of these programs. The exit code is 1 if pavcodec, or the program of
--for, refuses a script."""
    keys: ClassVar[dict[str, str]] = {
        "file": "the name of the script",
        "line": "the line, from 1 on",
        "column": "the column, from 1 on",
        "kind": "error, warning, refused or differs",
        "message": "what is wrong, or read differently",
    }

    scripts: tuple[str, ...] = ask(
        "scripts to read; - is stdin", flag="", metavar="SCRIPT", local=True
    )
    program: str | None = ask(
        "check for this program only: bbo, dealer, dealerv2 or dealer3",
        default=None, flag="--for", group="programs", metavar="PROGRAM", choices=_PROGRAMS,
    )  # fmt: skip

    parameters: tuple[str, ...] = parameters()

    def find(self) -> Findings:
        """Return the findings of each script."""
        from pavcodec.constraints.language.source import with_parameters
        from pavcodec.constraints.scripts.check import check_script

        programs = [self.program] if self.program else _PROGRAMS
        refusing = {"error", "refused"} if self.program else {"error"}
        findings, values = [], values_of(self.parameters)
        for path in self.scripts:
            with open_input(path) as stream:
                text = decode(b"".join(blocks(stream, unified=False))).replace("\r\n", "\n")
            if values:
                try:
                    text = with_parameters(text, values)
                except TextError as error:
                    raise ScriptError(name_of(path), error) from None
            findings += [(name_of(path), finding) for finding in check_script(text, programs)]
        return Findings(findings, is_fault=any(each.kind in refusing for _, each in findings))


@dataclass
class Findings(Answer):
    """What is wrong in scripts, each with the name of its file."""

    findings: list[tuple[str, Finding]]
    is_fault: bool = False

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the findings for JSON."""
        return [{"file": name} | asdict(each) for name, each in self.findings]

    def lines(self) -> Iterator[str]:
        """Yield a line for each finding."""
        for name, each in self.findings:
            kind = f"{each.kind}: " if each.kind in ("error", "warning") else ""
            yield f"{name}:{each.line}:{each.column}: {kind}{each.message}"
