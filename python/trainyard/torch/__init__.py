"""PyTorch on the simulated machine: what `torch_neuronx` is made of. Nothing here is imported
before PyTorch is asked for; docs/pytorch.md says what users see.

`table` has the operators, one record each; `lowering` writes a graph of them as StableHLO, which
`programs` compiles; `backend` is what torch.compile calls, `device` the device `neuron`.
"""
