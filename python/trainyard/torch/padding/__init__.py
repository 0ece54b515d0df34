"""Graphs of symbolic sizes, computed at larger ones: dimensions are padded to the size of a bucket,
and what is behind their end counts nowhere.
"""
