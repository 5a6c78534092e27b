"""Random Promela models for differential tests, and the shrinker for those that disagree."""

from .builder import Model, generate
from .features import FEATURES
from .shrink import shrink

__all__ = ["FEATURES", "Model", "generate", "shrink"]
