"""Arrays for programs that learn from deals, and samples by the likelihoods of such programs.

Each name is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pavcodec._lazy import loader

if TYPE_CHECKING:
    from pavcodec.arrays.views.catalogue import FeatureView
    from pavcodec.learning.card_check import CardCheck, check_card
    from pavcodec.learning.card_writing import write_data_card
    from pavcodec.learning.cards import CardFile, DataCard, read_card
    from pavcodec.learning.loading import Batches, batches
    from pavcodec.learning.overlaps import Overlaps, check_splits
    from pavcodec.learning.resampling import Evidence, Resampled, resample
    from pavcodec.learning.splitting import splits
    from pavcodec.learning.views import feature_views, features, owners_of_features

__all__ = [
    "Batches",
    "CardCheck",
    "CardFile",
    "DataCard",
    "Evidence",
    "FeatureView",
    "Overlaps",
    "Resampled",
    "batches",
    "check_card",
    "check_splits",
    "feature_views",
    "features",
    "owners_of_features",
    "read_card",
    "resample",
    "splits",
    "write_data_card",
]

_HOMES = {
    "Batches": ".loading",
    "CardCheck": ".card_check",
    "CardFile": ".cards",
    "DataCard": ".cards",
    "Evidence": ".resampling",
    "FeatureView": "pavcodec.arrays.views.catalogue",
    "Overlaps": ".overlaps",
    "Resampled": ".resampling",
    "batches": ".loading",
    "check_card": ".card_check",
    "check_splits": ".overlaps",
    "feature_views": ".views",
    "features": ".views",
    "owners_of_features": ".views",
    "read_card": ".cards",
    "resample": ".resampling",
    "splits": ".splitting",
    "write_data_card": ".card_writing",
}

__getattr__ = loader(__name__, _HOMES)
