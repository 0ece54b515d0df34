"""Replays the instruction streams of a Neuron profile and compares the times."""
