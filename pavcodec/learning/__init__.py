"""Arrays for programs that learn from deals, and samples by the likelihoods of such programs.

Each name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.arrays.views.catalogue import FeatureView
    from pavcodec.learning.resampling import Evidence, Resampled, resample
    from pavcodec.learning.views import feature_views, features, owners_of_features

__all__ = [
    "Evidence",
    "FeatureView",
    "Resampled",
    "feature_views",
    "features",
    "owners_of_features",
    "resample",
]

_HOMES = {
    "Evidence": ".resampling",
    "FeatureView": "pavcodec.arrays.views.catalogue",
    "Resampled": ".resampling",
    "feature_views": ".views",
    "features": ".views",
    "owners_of_features": ".views",
    "resample": ".resampling",
}

__getattr__ = loader(__name__, _HOMES)
