"""Codes of deals: texts of other programs and web sites, by name."""

from pavcodec.codes.catalogue import Reading, code, code_names, identify

__all__ = ["Reading", "code", "code_names", "identify"]
