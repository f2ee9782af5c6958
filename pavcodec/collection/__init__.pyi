# The public names of the room `collection`; each loads at its first use.

from pavcodec.collection.collection import Collection as Collection
from pavcodec.collection.collection import parts as parts
from pavcodec.collection.collection import verify_collection as verify_collection
from pavcodec.collection.dask_deals import dask_deals as dask_deals
from pavcodec.collection.derived import parts_from as parts_from
from pavcodec.collection.derived import stats_of_parts as stats_of_parts
from pavcodec.collection.manifest import Row as Row
from pavcodec.collection.manifest import Rows as Rows
from pavcodec.collection.manifest import make_part as make_part
from pavcodec.collection.plan import Making as Making
from pavcodec.collection.plan import Part as Part
from pavcodec.collection.plan import Plan as Plan
from pavcodec.collection.plan import Ranges as Ranges
from pavcodec.collection.run import Check as Check
from pavcodec.collection.run import Made as Made
from pavcodec.collection.stored import OpenedCollection as OpenedCollection
from pavcodec.collection.stored import open_collection as open_collection
