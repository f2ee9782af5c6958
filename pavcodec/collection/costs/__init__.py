"""The hours and the money that a collection costs, by a simulation of failing workers."""

from pavcodec.collection.costs.simulation import simulate
from pavcodec.collection.costs.values import HOUR, SECOND, Cluster, Job, Outcome, Prices

__all__ = ["HOUR", "SECOND", "Cluster", "Job", "Outcome", "Prices", "simulate"]
