"""The page Files, and files in the forms of pages."""

from pavcodec.web.pages.files.page import router

__all__ = ["router"]
