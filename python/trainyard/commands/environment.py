"""The environment variables that Trainyard reads; the pages of the command are made from them."""

VARIABLES = {
    "NEURON_LOGICAL_NC_CONFIG": "how many cores a logical core has: 1 or 2",
    "NEURON_PLATFORM_TARGET_OVERRIDE": "the machine where --machine does not name it, as trn2",
    "NEURON_RT_STOCHASTIC_ROUNDING_EN": "1 rounds stochastically",
    "NEURON_RT_STOCHASTIC_ROUNDING_SEED": "the seed of stochastic rounding",
    "NEURON_RT_VIRTUAL_CORE_SIZE": "as NEURON_LOGICAL_NC_CONFIG",
    "NKI_DMA_TRANSPOSE_AS_PE_TRANSPOSE": "1 keeps a PSUM bank for transposes",
    "NKI_PRECISE_FP": "0 keeps float32 values beside low-precision ones under nki.simulate",
    "NKI_SIMULATOR": "1 runs every kernel as nki.simulate does",
    "NKI_NC_VERSION": "gen2, gen3 or gen4: the machine, before NEURON_PLATFORM_TARGET_OVERRIDE",
    "NO_COLOR": "not empty: no colour, also on a terminal",
    "TRAINYARD_CHECKS": "0 turns the checks of values off",
    "TRAINYARD_CHIPS": "how many chips the JAX platform has",
    "TRAINYARD_MACHINE": "the machine of the JAX platform",
    "TRAINYARD_MACHINES": "folders of machine files, searched first, separated by colons",
    "TRAINYARD_MODE": "how the JAX platform runs programs: reference or machine",
    "TRAINYARD_NKI": "1 lets Trainyard's nki hide an installed one, 0 leaves it out",
    "TRAINYARD_NKI_LEVEL": "the release of NKI whose meaning kernels get, as 0.6",
    "TRAINYARD_SET": "figures of the JAX platform's machine, as --set takes them",
    "TRAINYARD_STRICT": "1 refuses JAX programs that AWS's compiler refuses",
    "TRAINYARD_TRACEBACK": "full keeps Trainyard's own lines in tracebacks",
}
