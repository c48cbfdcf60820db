"""Builds models of Megatron-LM without GPUs: their layers on PyTorch's meta device, those of Transformer Engine stood in for.

Used where verdicts on launches of Megatron-LM are drawn, behind the checks of the launch: many sizes are compared only when the layers are made.
"""

import contextlib
import re

import stand_ins

# What upstream looks for on a module and must not find on a stand-in: it would take the stand-in for a specification, or its weights for shards.
ABSENT = {"allreduce", "bias", "keys", "main_grad", "metainfo", "module", "params", "partition_dim", "process_group", "reset_parameters", "sequence_parallel", "shared", "submodules", "tensor_model_parallel"}
PACKAGES = ["causal_conv1d", "fast_hadamard_transform", "fla", "mamba_ssm"]


def let_models_be_built(torch):
    """Makes stand-ins of classes modules that can be derived from with arguments. Call it before anything is stood in for."""
    stand_ins.stand_in_for(*PACKAGES)
    attribute_of_class, plain = stand_ins.StandInType.__getattr__, stand_ins.stand_in

    def attribute_of_module(self, name):
        with contextlib.suppress(AttributeError):
            return torch.nn.Module.__getattr__(self, name)
        if name.startswith("_") or name in ABSENT:
            raise AttributeError(name)
        return stand_ins.Fake() if re.fullmatch(r"weight\d*", name) else plain(name)

    def module(name):
        members = {
            "__module__": "stand_ins",
            "__init__": lambda self, *_words, **_named: torch.nn.Module.__init__(self),
            "__getattr__": attribute_of_module,
            "__enter__": lambda self: self,
            "__exit__": lambda *_words: None,
            "forward": lambda self, *words, **_named: words[0] if words else None,
            "get_extra_state": lambda self: None,
            "register_wgrad_accumulation_and_reduce_hooks": lambda *_words: None,
            "reset": lambda self: None,
            "set_context_parallel_group": lambda *_words: None,
            "set_tensor_parallel_group": lambda *_words: None,
        }
        return stand_ins.StandInType(name, (torch.nn.Module,), members)

    def made(cls, *words, **named):
        if cls.__module__ != "stand_ins":
            return type.__call__(cls, *words, **named)
        decorates = len(words) == 1 and callable(words[0]) and not named
        return words[0] if decorates else type.__call__(cls)

    def absent(cls, name):
        if name in ABSENT:
            raise AttributeError(name)
        return attribute_of_class(cls, name)

    stand_ins.StandInType.__call__, stand_ins.StandInType.__getattr__, stand_ins.stand_in = made, absent, module


def build(torch, args):
    """Builds the first stage of a model, behind the process groups. Upstream's own refusals come out as they are."""
    from megatron.core.tensor_parallel import layers, random
    from megatron.core.transformer import transformer_block

    nothing = lambda *_words, **_named: contextlib.nullcontext()
    transformer_block.get_cpu_offload_context = lambda *_words, **_named: (contextlib.nullcontext(), None)
    layers._grad_accum_fusion_available = True
    random.initialize_rng_tracker(args.te_rng_tracker, args.inference_rng_tracker, use_cudagraphable_rng=args.cuda_graph_impl != "none")
    for tracker in (random.CudaRNGStatesTracker, type(random.get_cuda_rng_tracker())):
        tracker.fork = nothing
    cuda = torch.cuda
    cuda.Stream = cuda.Event = cuda.set_stream = stand_ins.Fake
    cuda.current_stream = lambda *_words: stand_ins.Fake()
    cuda.graph_pool_handle = cuda.graphs.graph_pool_handle = lambda *_words: (0, 0)
    cuda.current_device = lambda: torch.device("meta")
    cuda.memory_allocated = lambda *_words: 0
    cuda.stream = nothing
    torch.Tensor.cuda = torch.nn.Module.cuda = lambda self, *_words, **_named: self
    args.perform_initialization, args.use_cpu_initialization = False, True
    from gpt_builders import gpt_builder

    stage = 0 if args.virtual_pipeline_model_parallel_size else None
    with torch.device("meta"):
        gpt_builder(args, True, args.pipeline_model_parallel_size == 1, stage)
