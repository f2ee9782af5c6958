"""Folders of files on this machine and in object stores, by one interface."""
