# The public names of the room `odds`; each loads at its first use.

from pavcodec.odds.distributions import Distribution as Distribution
from pavcodec.odds.distributions import SampledDistribution as SampledDistribution
from pavcodec.odds.distributions import WeightedDistribution as WeightedDistribution
from pavcodec.odds.questions import distribution as distribution
from pavcodec.odds.questions import probability as probability
