"""Codes of deals by name: the texts that other programs and web sites use for deals."""

from pavcodec.codes.catalogue import Reading, code, code_names, identify

__all__ = ["Reading", "code", "code_names", "identify"]
