"""Folders of files on this machine and in object stores.

`storage_of` makes a `Storage` from a path or a URL. A path, or a URL that starts with `file://`,
needs no package. Other URLs need fsspec and the package of the store.
"""

from __future__ import annotations

import os
import re

from pavcodec.files.stores.faults import is_transient
from pavcodec.files.stores.folder import Folder
from pavcodec.files.stores.remote import Remote
from pavcodec.files.stores.store import Storage
from pavcodec.files.stores.urls import is_url, local_path

__all__ = ["Storage", "is_transient", "is_url", "storage_of"]

_LOST_SLASH = re.compile(r"[a-z][a-z0-9+.-]+:/(?!/)")


def storage_of(folder: str | os.PathLike[str]) -> Storage:
    """Return the storage of a folder: a path of this machine, or a URL that fsspec opens.

    The folder need not exist, and nothing is opened. Raises `OSError` for a protocol that fsspec
    does not have, and for a package that is not installed.

    >>> storage_of("sets/strong").shown("plan.json")
    'sets/strong/plan.json'
    >>> storage_of("memory://strong").shown("plan.json")
    'memory://strong/plan.json'
    """
    text = os.fspath(folder)
    if not isinstance(text, str):
        raise TypeError(f"a folder is a path or a URL, not {type(folder).__name__!r}")
    if not isinstance(folder, str) and _LOST_SLASH.match(text):
        raise TypeError(f"a URL is given as text, since a path loses a slash of it: {text!r}")
    path = local_path(text)
    return Remote.checked(text) if path is None else Folder(path)
