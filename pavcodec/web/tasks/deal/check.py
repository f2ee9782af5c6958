"""The diagnosis of a condition or a script while somebody types it: nothing is counted."""

from __future__ import annotations

from shlex import quote

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.constraints.counting.diagrams.compile import tested_for
from pavcodec.constraints.language.build import parts_of
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.scripts.check import check_script
from pavcodec.errors import TextError
from pavcodec.web.tasks.deal.reading import Typed, read_text
from pavcodec.web.tasks.problem import Problem, problem_of
from pavcodec.web.tasks.task import Answer, Question, Task

__all__ = ["CHECK", "CheckAnswer", "CheckQuestion", "TestedPart"]


class CheckQuestion(Question):
    """A condition or a script."""

    condition: Typed = Field("", description="a condition, or a script")


class TestedPart(BaseModel):
    """A part of a condition that is tested deal by deal, and the reason."""

    model_config = ConfigDict(frozen=True)

    part: str
    reason: str


class Remark(BaseModel):
    """A remark about a script, as the command `check` prints it."""

    model_config = ConfigDict(frozen=True)

    line: int
    column: int
    kind: str = Field(description="error, warning, refused or differs")
    message: str


class CheckAnswer(Answer):
    """What is wrong with a condition, or what it means."""

    problem: Problem | None = Field(description="the first fault, with its place in the text")
    kind: str = Field(description="'condition', 'script', or 'nothing' for an empty text")
    canonical: str = Field(description="the condition in its canonical form")
    warnings: list[str] = Field(description="what may not mean what its author expects")
    tested: list[TestedPart] = Field(
        description="the parts that are tested deal by deal; all others are counted, unless the "
        "condition is too large as a whole"
    )
    others: list[Remark] = Field(
        description="what other programs refuse or read differently: BBO, dealer, DealerV2, Dealer3"
    )


def check(question: CheckQuestion) -> CheckAnswer:
    """Return the diagnosis of a condition."""
    text = question.condition
    command = f"printf '%s\\n' {quote(text)} | pavcodec check -"
    python = [
        "from pavcodec.constraints.scripts.check import check_script",
        "",
        f"for finding in check_script({text!r}):",
        "    print(finding.line, finding.column, finding.message)",
    ]
    found = check_script(text)
    others = [
        Remark(line=each.line, column=each.column, kind=each.kind, message=each.message)
        for each in found
        if each.kind in {"refused", "differs"}
    ]
    warnings: list[str] = []
    problem, node, kind = None, None, "nothing"
    try:
        node, script = read_text(text, warnings)
        kind = "script" if script is not None else kind if node is None else "condition"
    except TextError as error:
        problem = problem_of(error).model_copy(update={"field": "condition"})
    reasons = [(part, tested_for(part)) for part in (() if node is None else parts_of(node))]
    return CheckAnswer(
        problem=problem,
        kind=kind,
        canonical="" if node is None else format_node(node),
        warnings=warnings,
        tested=[TestedPart(part=format_node(part), reason=why) for part, why in reasons if why],
        others=others,
        command=command,
        python="\n".join(python),
    )


CHECK = Task(
    "check",
    "Find the first fault of a condition or a script, its warnings and its meaning.",
    check,
    CheckQuestion(condition="hcp(south) >= 15 && hcp(suoth) <= 17"),
)
