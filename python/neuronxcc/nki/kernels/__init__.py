"""AWS's own first-generation kernels, which its package ships and Trainyard does not.

Importing this module, or one below it, says where to get them.
"""

raise ImportError(
    "neuronxcc.nki.kernels holds AWS's own kernels, which are not part of Trainyard. Their sources "
    "are public: in aws-neuron/nki-samples, src/nki_samples/reference (attention.py, vision.py, "
    "...), and run here as they are: import them from a checkout, for instance with "
    "PYTHONPATH=nki-samples/src and `from nki_samples.reference.attention import flash_fwd`"
)
