"""The check of the built site finds what is planted."""

import importlib.util
import sys

import pytest

from docs.pages import DOCS


@pytest.fixture
def check_site():
    spec = importlib.util.spec_from_file_location("check_site", DOCS / "check_site.py")
    module = sys.modules["check_site"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def site(tmp_path):
    for name in ("llms.txt", "llms-full.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "b.html").write_text('<p id="here">text</p>')
    return tmp_path


def test_a_right_site(check_site, site, monkeypatch, capsys):
    (site / "index.html").write_text(
        '<a href="b.html#here"></a><a href="https://example.org"></a><a href="#"></a>'
        '<img src="data:," alt="dot">'
    )
    assert list(check_site.check(site)) == []
    monkeypatch.setattr(sys, "argv", ["check_site.py", str(site)])
    assert check_site.main() == 0
    assert "are right" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ('<a href="c.html"></a>', "no page c.html"),
        ('<a href="b.html#there"></a>', "no anchor b.html#there"),
        ('<script src="https://cdn.example.org/a.js"></script>', "from a network"),
        ('<img src="a.png" alt="a">', "no file a.png"),
        ('<img src="data:,">', "1 pictures without a text"),
        ('<img src="data:," alt=" ">', "1 pictures without a text"),
        ('<img src="data:," alt="../_images/8a91.png">', "1 pictures without a text"),
        ('<img src="data:,.png" alt="a" loading="lazy">', "1 late pictures without a size"),
        ("<p>\u2018\u2019</p>", "1 empty quotes made curly"),
        ("x" * 1_000_001, "weighs 1.00 MB"),
    ],
)
def test_planted_faults(check_site, site, planted, found, monkeypatch):
    (site / "index.html").write_text(planted)
    (problem,) = check_site.check(site)
    assert found in problem
    monkeypatch.setattr(sys, "argv", ["check_site.py", str(site)])
    assert check_site.main() == 1


def test_no_site(check_site, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["check_site.py", str(tmp_path)])
    assert check_site.main() == 2
    assert "make docs" in capsys.readouterr().err
