"""The environment variables that Trainyard reads; the pages of the command are made from them."""

VARIABLES = {
    "NEURON_CC_FLAGS": "compiler flags for tensor programs, such as --auto-cast matmult",
    "NEURON_COMPILE_CACHE_URL": "the folder of PyTorch's compiled programs; empty: none is kept",
    "NEURON_LOGICAL_NC_CONFIG": "how many cores a logical core has: 1 or 2",
    "NEURON_PJRT_PROCESSES_NUM_DEVICES": "how many devices each process of jax.distributed "
    "has, such as 4,12; otherwise all have as many",
    "NEURON_PLATFORM_TARGET_OVERRIDE": "the machine, such as trn2, if --machine is not given",
    "NEURON_RT_NUM_CORES": "how many devices of the JAX platform a process has",
    "NEURON_RT_STOCHASTIC_ROUNDING_EN": "1 rounds stochastically",
    "NEURON_RT_STOCHASTIC_ROUNDING_SEED": "the seed of stochastic rounding",
    "NEURON_RT_VIRTUAL_CORE_SIZE": "as NEURON_LOGICAL_NC_CONFIG",
    "NEURON_RT_VISIBLE_CORES": "the devices of the JAX platform that a process has, such as 0-3; "
    "takes precedence over NEURON_RT_NUM_CORES",
    "NKI_DMA_TRANSPOSE_AS_PE_TRANSPOSE": "1 keeps a PSUM bank for transposes",
    "NKI_PRECISE_FP": "0 also keeps float32 values of low-precision tensors under nki.simulate",
    "NKI_SIMULATOR": "1 runs every kernel under nki.simulate",
    "NKI_NC_VERSION": "gen2, gen3 or gen4: the machine; takes precedence over "
    "NEURON_PLATFORM_TARGET_OVERRIDE",
    "NO_COLOR": "if not empty: no colour, even on a terminal",
    "TRAINYARD_API_KEY": "the key that clients of trainyard serve must send; none where not set",
    "TRAINYARD_CHECKS": "0 turns the checks of values off",
    "TRAINYARD_CHIPS": "how many chips the JAX platform has",
    "TRAINYARD_COORDINATOR": "where process 0 of a job waits for the others, such as 10.0.0.1:5000",
    "TRAINYARD_COMPILE_CACHE_SIZE": "MiB that PyTorch's compiled programs may take on disk",
    "TRAINYARD_HOST_ADDRESS": "by which address other processes of a job reach this one",
    "TRAINYARD_JOB_WORD": "a word that only the processes of a job know",
    "TRAINYARD_MACHINE": "the machine of the JAX platform",
    "TRAINYARD_MACHINES": "folders of machine files, searched first, separated by colons",
    "TRAINYARD_MODE": "how the JAX platform runs programs: reference or machine",
    "TRAINYARD_NKI": "1 lets Trainyard's nki hide an installed one, 0 leaves it out",
    "TRAINYARD_NKI_LEVEL": "the NKI release whose behaviour kernels get, such as 0.6",
    "TRAINYARD_PROCESS_COUNT": "how many processes share the devices of the JAX platform; 1 under "
    "mpirun: each stays alone",
    "TRAINYARD_PROCESS_ID": "the number of this one of them, from 0",
    "TRAINYARD_SET": "overrides for the JAX platform's machine, as for --set",
    "TRAINYARD_STRICT": "1 refuses JAX programs and older kernels that AWS's compilers refuse",
    "TRAINYARD_TRACEBACK": "full: tracebacks include Trainyard's own lines",
    "TRAINYARD_TUNE": "1 times all ways to compute each region of a JAX program, 0 none; otherwise "
    "those of small regions that are worth it are timed, and what was kept is used",
}
