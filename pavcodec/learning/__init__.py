"""Arrays for programs that learn from deals, and samples by the likelihoods of such programs.

Each name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.arrays.views.catalogue import FeatureView
    from pavcodec.learning.loading import Batches, batches
    from pavcodec.learning.overlaps import Overlaps, check_splits
    from pavcodec.learning.resampling import Evidence, Resampled, resample
    from pavcodec.learning.splitting import splits
    from pavcodec.learning.views import feature_views, features, owners_of_features

__all__ = [
    "Batches",
    "Evidence",
    "FeatureView",
    "Overlaps",
    "Resampled",
    "batches",
    "check_splits",
    "feature_views",
    "features",
    "owners_of_features",
    "resample",
    "splits",
]

_HOMES = {
    "Batches": ".loading",
    "Evidence": ".resampling",
    "FeatureView": "pavcodec.arrays.views.catalogue",
    "Overlaps": ".overlaps",
    "Resampled": ".resampling",
    "batches": ".loading",
    "check_splits": ".overlaps",
    "feature_views": ".views",
    "features": ".views",
    "owners_of_features": ".views",
    "resample": ".resampling",
    "splits": ".splitting",
}

__getattr__ = loader(__name__, _HOMES)
