"""Random programs at the sizes of public models, compiled and timed: tools/programs_at_size."""
