#!/usr/bin/env python3
"""Lanes that come to a join later take the place of those that wait there."""
import kir
import solution

solution.first_to_wait = lambda block, splits: True
kir.run(lambda function: solution.Masks(function).run())
