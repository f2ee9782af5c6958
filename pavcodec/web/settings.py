"""The settings of a server: its address and its limits."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True)
class Settings:
    """The address and the limits of a server; sizes in bytes, times in seconds."""

    host: str = "127.0.0.1"
    port: int = 8000
