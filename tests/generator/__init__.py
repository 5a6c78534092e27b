"""Random Promela models and formulas for differential tests, and the shrinker for those that disagree."""

from .builder import Model, generate
from .features import FEATURES, WIDE
from .liveness import Case, generate_case
from .shrink import shrink

__all__ = ["Case", "FEATURES", "Model", "WIDE", "generate", "generate_case", "shrink"]
