# The public names of the room `learning`; each loads at its first use.

from pavcodec.formats.npy.views import FeatureView as FeatureView
from pavcodec.learning.cards import CardCheck as CardCheck
from pavcodec.learning.cards import CardFile as CardFile
from pavcodec.learning.cards import DataCard as DataCard
from pavcodec.learning.cards import check_card as check_card
from pavcodec.learning.cards import read_card as read_card
from pavcodec.learning.cards import write_data_card as write_data_card
from pavcodec.learning.loading import Batches as Batches
from pavcodec.learning.loading import batches as batches
from pavcodec.learning.loading import feature_views as feature_views
from pavcodec.learning.loading import features as features
from pavcodec.learning.loading import owners_of_features as owners_of_features
from pavcodec.learning.resampling import Evidence as Evidence
from pavcodec.learning.resampling import Resampled as Resampled
from pavcodec.learning.resampling import resample as resample
from pavcodec.learning.splitting import Overlaps as Overlaps
from pavcodec.learning.splitting import check_splits as check_splits
from pavcodec.learning.splitting import splits as splits
