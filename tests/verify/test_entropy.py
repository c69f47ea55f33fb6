"""Generators without a seed give the same numbers on both sides."""

from __future__ import annotations

import importlib
import secrets

import numpy as np

from np2torch import shim
from np2torch.verify.entropy import fix_entropy


def test_generators_without_a_seed_draw_the_same(monkeypatch):
    numpys = importlib.import_module("numpy.random.bit_generator")
    monkeypatch.setattr(numpys, "randbits", numpys.randbits)
    monkeypatch.setattr(secrets, "randbits", secrets.randbits)
    fix_entropy()
    drawn = []
    for library in (np.random, shim.random):
        made = [library.default_rng(), library.Generator(library.MT19937())]
        made += [library.RandomState(), library.RandomState(None), library.RandomState(3)]
        made[-1].seed()
        drawn.append([float(one.standard_normal()) for one in made])
    assert drawn[0] == drawn[1] and len(set(drawn[0])) > 2
