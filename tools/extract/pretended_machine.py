"""Lets upstream's launch code run on a machine without GPUs: PyTorch for CPUs that says it has a node of H100s, and Transformer Engine's optimizer.

Used by the programs that draw launches and ask upstream's own code for its verdict.
"""

import logging
import types
import typing
import warnings

from stand_ins import stand_in


def quiet_torch():
    """PyTorch without compiler and without log, ready for stand-ins of triton. Call it before anything is stood in for."""
    logging.disable(logging.CRITICAL)
    warnings.filterwarnings("ignore")
    if not hasattr(typing, "override"):
        typing.override = lambda function: function
    import torch
    import torch._dynamo  # noqa: F401  (before triton is stood in for)

    torch.compile = lambda function=None, *_args, **_named: function if function is not None else lambda inner: inner
    return torch


class FusedAdam:
    """Transformer Engine's, whose signature upstream looks at."""

    def __init__(self, params=None, master_weight_dtype=None, exp_avg_dtype=None, exp_avg_sq_dtype=None, use_decoupled_grad=None, store_param_remainders=None):
        pass


def pretend_a_node(torch):
    """Eight H100s, and a Transformer Engine (stood in for before) with its optimizer."""
    import transformer_engine.pytorch.optimizers as optimizers

    optimizers.FusedAdam = FusedAdam
    properties = types.SimpleNamespace(major=9, minor=0, name="NVIDIA H100 80GB HBM3", total_memory=80 << 30, multi_processor_count=132)
    torch.cuda.is_available = lambda: True
    torch.cuda.device_count = lambda: 8
    torch.cuda.current_device = lambda: 0
    torch.cuda.get_device_capability = lambda *_args, **_named: (9, 0)
    torch.cuda.get_device_properties = lambda *_args, **_named: properties
    torch.distributed.ProcessGroupNCCL = stand_in("ProcessGroupNCCL")
