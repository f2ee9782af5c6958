# The public names of the room `constraints`; each loads at its first use.

from pavcodec.constraints.counting.recent import forget_models as forget_models
from pavcodec.constraints.expressions import expression as expression
from pavcodec.constraints.known import Play as Play
from pavcodec.constraints.known import Position as Position
from pavcodec.constraints.known import position as position
from pavcodec.constraints.mixes.levelling import Levelled as Levelled
from pavcodec.constraints.mixes.levelling import LevelRow as LevelRow
from pavcodec.constraints.mixes.levelling import LevelTable as LevelTable
from pavcodec.constraints.mixes.levelling import level as level
from pavcodec.constraints.mixes.mixes import Mix as Mix
from pavcodec.constraints.mixes.mixes import MixType as MixType
from pavcodec.constraints.mixes.mixes import mix as mix
from pavcodec.constraints.operators import Expression as Expression
from pavcodec.constraints.shape_classes import shape_class as shape_class
from pavcodec.constraints.shape_classes import shape_function as shape_function
from pavcodec.constraints.spaces.constrained import ConstrainedDeals as ConstrainedDeals
from pavcodec.constraints.spaces.constrained import ConstrainedEndings as ConstrainedEndings
from pavcodec.constraints.spaces.deals import deals as deals
from pavcodec.constraints.spaces.deals import endings as endings
from pavcodec.constraints.spaces.estimates import Acceptance as Acceptance
from pavcodec.constraints.spaces.estimates import Estimate as Estimate
from pavcodec.constraints.spaces.rejection import TestedDeals as TestedDeals
from pavcodec.constraints.weighing import WeightedDeals as WeightedDeals
from pavcodec.constraints.weighing import weighted as weighted
