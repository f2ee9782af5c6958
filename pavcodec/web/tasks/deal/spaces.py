"""The deals of a question: counted, tested, weighted, or a mix; and their samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, cast

from pavcodec.collection.deals import method_of, where_of
from pavcodec.collection.session import Session
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.nodes.syntax import Number
from pavcodec.constraints.spaces.deals import deals_of
from pavcodec.constraints.spaces.rejection import TestedDeals
from pavcodec.errors import ModelTooLarge, PavError
from pavcodec.numberings import numbering
from pavcodec.odds.plans import counted_of, excluding, is_tested, no_deals
from pavcodec.sampling import fresh_seed, parse_seed
from pavcodec.web.tasks.deal.reading import Reading
from pavcodec.web.tasks.limits import PLAN

if TYPE_CHECKING:
    from pavcodec.boards import Vulnerability
    from pavcodec.cards import Seat
    from pavcodec.collection.orders import Space
    from pavcodec.constraints import ConstrainedDeals, Mix, WeightedDeals
    from pavcodec.constraints.spaces.deals import DealSpace
    from pavcodec.layout import Deal

__all__ = ["Dealt", "dealt", "seed_of_text", "space_of", "too_large"]


def condition_of(reading: Reading, memory: int = PLAN) -> Condition:
    """Return the whole condition, with a limit of memory."""
    return Condition(Number(1) if reading.node is None else reading.node, memory)


def space_of(reading: Reading) -> DealSpace:
    """Return the deals of the whole condition; raise `ModelTooLarge` above the memory."""
    space = deals_of(condition_of(reading))
    counted_of(space).cardinality  # noqa: B018 (builds the model)
    return space


def too_large(error: ModelTooLarge, command: str) -> PavError:
    """Return the refusal of a condition that takes more memory than a page allows."""
    reason = str(error).rpartition("; ")[0] or str(error)
    return PavError(
        f"this condition is too large for this page: {reason}. Loosen or leave out that part, or "
        f"run it on your own machine: {command}"
    )


def mix_of(reading: Reading, *, interleave: bool) -> Mix:
    """Return the mix of the types, counted."""
    from pavcodec.constraints import mix

    condition = condition_of(reading)
    found = mix(reading.types, given=condition.node, memory=condition.memory)
    found = found.interleaved if interleave else found
    for kind in found.types:
        kind.overlap  # noqa: B018 (builds the models)
    return found


def weighted_of(reading: Reading) -> WeightedDeals | None:
    """Return the deals with the weights of the script; None without weights."""
    if reading.script is None or not reading.script.weights:
        return None
    from pavcodec.constraints.weighing.weighted_deals import weighted_deals_of

    found = weighted_deals_of(condition_of(reading), reading.script.weights)
    found.check()
    return found


@dataclass(frozen=True)
class Dealt:
    """The deals of a question, from which samples are drawn."""

    space: Space
    mix: Mix | None = None
    tries: int | None = None
    """The most deals to test, as the script says."""

    def session(
        self, seed: int, start: int, dealer: Seat | None, vulnerable: Vulnerability | None, *,
        is_script: bool = False,
    ) -> Session:  # fmt: skip
        """Return what the boards of a run share; `-` is the name of the script of a text."""
        name = "-" if is_script else None
        where, method = where_of(self.space), method_of(self.space)
        return Session(seed, start, method, where, numbering("deal"), dealer, vulnerable, name)

    def samples(self, count: int, seed: int, start: int) -> Iterator[Deal]:
        """Yield some samples of a seed; fewer only if the script limits the tested deals."""
        space = self.space
        if isinstance(space, TestedDeals):
            found = space.passing(seed=seed, start=start, tries=self.tries)
            return (cast("Deal", each.deal) for each in islice(found, count))
        drawn = cast("Mix | ConstrainedDeals", space)  # as numberings and weighted deals draw
        return drawn.samples(count, seed=seed, start=start)

    def places(self, count: int, seed: int, start: int) -> list[int]:
        """Return the place of the type of each sample; nothing without types."""
        return [] if self.mix is None else list(self.mix.places(count, seed=seed, start=start))


def dealt(reading: Reading, *, interleave: bool = False) -> Dealt:
    """Return the deals of a reading; raise `PavError` if there are none."""
    tries = None if reading.script is None else reading.script.generate
    if reading.types:
        if reading.script is not None and reading.script.weights:
            raise PavError("a mix and weights do not go together: leave out one of them")
        found = mix_of(reading, interleave=interleave)
        return Dealt(found, found)
    weighted = weighted_of(reading)
    if weighted is not None:
        return Dealt(weighted)
    if reading.node is None:
        return Dealt(numbering("deal"))
    space = space_of(reading)
    if not counted_of(space).cardinality:
        raise no_deals(space, excluding(space))
    return Dealt(space, tries=tries if is_tested(space) else None)


def seed_of_text(text: str, reading: Reading) -> int:
    """Return the seed of a field, else that of the script, else a fresh one."""
    if text.strip():
        return parse_seed(text.strip())
    script = reading.script
    return script.seed if script is not None and script.seed is not None else fresh_seed()
