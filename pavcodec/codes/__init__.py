"""Codes of deals by name: the texts that other programs and web sites use for deals."""

from pavcodec.codes.catalogue import Encoded, Reading, code, code_names, encode_all, identify

__all__ = ["Encoded", "Reading", "code", "code_names", "encode_all", "identify"]
