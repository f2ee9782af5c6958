# The public names of the room `odds`; each loads at its first use.

from pavcodec.chances.distributions import Distribution as Distribution
from pavcodec.chances.distributions import SampledDistribution as SampledDistribution
from pavcodec.chances.distributions import WeightedDistribution as WeightedDistribution
from pavcodec.chances.questions import distribution as distribution
from pavcodec.chances.questions import probability as probability
