"""The list of the shim's names that the analyser reads is the shim's."""

from __future__ import annotations

import importlib.util

from np2torch.rewrite.convert import shim_names
from np2torch.rules.methods import ASKED_FOR
from support.paths import ROOT

TOOL = ROOT / "tools" / "list_shim.py"


def test_the_list_is_up_to_date():
    spec = importlib.util.spec_from_file_location("list_shim", TOOL)
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    there, listed = set(tool.shim_names()), set(shim_names())
    assert there - listed == set(), "run `python tools/list_shim.py`"
    assert listed - there == set(), "run `python tools/list_shim.py`"


def test_what_tensors_have_and_arrays_have_not_is_listed():
    spec = importlib.util.spec_from_file_location("list_tensor_names", TOOL.with_name("list_tensor_names.py"))
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    missing = set(tool.tensor_names()) - ASKED_FOR
    assert missing == set(), "run `python tools/list_tensor_names.py`"
    assert "median" in tool.tensor_names()
