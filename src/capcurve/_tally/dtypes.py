"""Short names for array types."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
IntArray = NDArray[np.int64]
Keys = NDArray[np.uint64]
FloatArray = NDArray[np.float64]
