"""Measured claims, against peers, as ratios in one run."""
