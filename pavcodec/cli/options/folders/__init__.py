"""Folders of parts: work for each part by an engine, and folders that are made from others."""
