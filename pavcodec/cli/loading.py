"""The commands: the group and the summary of each; `load` imports the module."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from pavcodec.questions import question_named

if TYPE_CHECKING:
    from pavcodec.cli.asking import Actions, QuestionCommand

COMMAND_GROUPS = {
    "numbers": {
        "encode": "print the number of each deal or ending",
        "decode": "print the deal or ending of each number",
        "identify": "list what a number or a code may mean, in every scheme",
        "numberings": "list the numberings, or describe one",
    },
    "deals": {
        "deal": "draw random deals, or list all deals of a condition",
        "practice": "make practice boards, with a page for each player",
        "check": "check scripts for pavcodec and for other dealing programs",
        "ending": "check whether legal play can reach an ending, and show how",
    },
    "odds": {
        "count": "count the deals that satisfy a condition, exactly",
        "odds": "compute the probability of an event, or a distribution",
        "cases": "list patterns and honours with their ways and running totals",
        "shapes": "list the shapes and patterns of a hand, with probabilities",
    },
    "files": {
        "convert": "convert files to another format, and join them",
        "turn": "turn boards round the table, with all that they hold",
        "solve": "compute the double-dummy tricks and par of boards",
        "show": "draw boards on the screen, as a web page or as a picture",
        "print": "print hand records, cards and sheets for players, as PDF or HTML",
        "grep": "find the boards that satisfy a condition",
        "stats": "compare the deals in files with exact expectations",
        "duplicates": "list the repeated boards of files",
        "rare": "tell how rare deals are, exactly",
        "info": "describe a file and check its checksum",
        "formats": "list the file formats",
    },
    "archives": {
        "pack": "pack boards into a small archive",
        "unpack": "write the boards of an archive in another format",
        "get": "print boards of an archive, or find a deal in it",
        "append": "add boards to an archive",
        "merge": "join archives, or compare sets of deals",
        "verify": "check archives for damage",
        "repair": "save the undamaged part of an archive",
    },
    "tournaments": {
        "squaredeal": "make, deal and verify tournaments that anybody can check",
        "bigdeal": "deal the boards of a seed of the program Big Deal",
    },
    "in the browser": {
        "serve": "serve the pages in the browser, and the JSON interface",
    },
    "first steps": {
        "demo": "take the tour: run the main commands on a real file",
    },
}
"""The commands by subject, each with a summary."""

COMMANDS = {name: text for group in COMMAND_GROUPS.values() for name, text in group.items()}
"""The summary of each command."""


def load(name: str) -> ModuleType | QuestionCommand | Actions:
    """Return the command of a name; raise `KeyError` for another name."""
    if name == "demo":
        from pavcodec.cli.commands import demo

        return demo
    if name == "serve":
        from pavcodec.cli.commands import serve

        return serve
    if name == "squaredeal":
        from pavcodec.cli.commands.squaredeal import COMMAND

        return COMMAND
    question = question_named(name)
    if name in {"grep", "show", "solve"}:
        from pavcodec.cli.commands import boards

        return boards.COMMANDS[name](question)
    if name in {"cases", "deal", "practice"}:
        from pavcodec.cli.commands import dealing

        return dealing.COMMANDS[name](question)
    from pavcodec.cli.asking import command_of_question

    return command_of_question(question)
