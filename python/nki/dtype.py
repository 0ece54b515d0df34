"""The dtypes of nki.language under the name nki.dtype, where some kernels look for them."""

from nki.language._types import *  # noqa: F403
