"""draft"""
from __future__ import annotations
import numpy as np
from pavcodec.archive.gaps import *
from pavcodec.kernels.limbs import Limbs, split
def differences(rows):
    gaps=np.empty((len(rows)-1,2),np.uint64)
    np.subtract(rows[1:],rows[:-1],out=gaps)
    gaps[:,0]-= rows[1:,1]<rows[:-1,1]
    return gaps
