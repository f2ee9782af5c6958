"""The page Files in a browser: drop a file, see its problem, convert it, print it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from browser_support import DESKTOP, PHONE, picture, violations

from pavcodec.cli import main
from pavcodec.web.tasks.files.converting import EXAMPLE

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

BROKEN = (
    EXAMPLE + b'\n[Board "2"]\n[Deal "N:AKQ2.J54.KT3.98Y 87.AQT6.9842.KJ4 J654.K93.QJ7.AT5 -"]\n'
)
DROP = """([area, name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  document.dispatchEvent(new DragEvent("dragover", {dataTransfer: data, bubbles: true}));
  document.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
}"""


def saved(page: Page, button: str, folder: Path) -> Path:
    """Press a button that saves a file, and return the file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_drop_convert_and_print(
    open_page: Any, tmp_path: Path, size: tuple[int, int], scheme: str
) -> None:
    page = open_page(size, scheme)
    page.goto("/files")
    page.evaluate(DROP, ["[data-drop]", "heat.pbn", BROKEN.decode()])
    page.wait_for_selector("#answer")
    assert page.locator("#found").inner_text() == "2 boards"
    assert page.locator(".problems mark").inner_text() == "Y"
    assert "line 8" in page.locator(".problems").inner_text()
    assert violations(page) == []
    picture(page, f"files-problem-{size[0]}-{scheme}")
    page.select_option("#to", "lin")
    made = saved(page, "Save the file", tmp_path)
    source, expected = tmp_path / "heat.pbn", tmp_path / "expected.lin"
    source.write_bytes(BROKEN)
    main(["convert", str(source), str(expected)])
    assert made.read_bytes() == expected.read_bytes()
    assert saved(page, "Save the pages", tmp_path).read_bytes().startswith(b"%PDF")


def test_files_without_scripts(chromium: Browser, site: str, tmp_path: Path) -> None:
    context = chromium.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/files")
    source = tmp_path / "heat.pbn"
    source.write_bytes(EXAMPLE)
    page.set_input_files("#file", source)
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_selector("#answer")
    page.select_option("#to", "dlm")
    made = saved(page, "Save the file", tmp_path)
    main(["convert", str(source), str(tmp_path / "expected.dlm")])
    assert made.read_bytes() == (tmp_path / "expected.dlm").read_bytes()
    context.close()
