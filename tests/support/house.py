"""The sources, parsed once for all tests of the house."""

from __future__ import annotations

from house_counts import House

from support.paths import ROOT

HOUSE = House(ROOT)
