"""What an accepted launch of slime meets afterwards, as far as upstream's own functions can be asked without GPUs."""

import collections
import copy
import pathlib
import types

from draws import place_of

TOKENS = 1024  # of each sample of the first rollout
ROLLOUTS = 100  # of an epoch


def refusal(stage, error, roots, output=""):
    """What upstream said, and the innermost of its lines."""
    if isinstance(error, SystemExit):
        return {"stage": stage, "exception": "SystemExit", "message": (output.strip().splitlines() or [""])[-1][:400], "at": ""}
    return {"stage": stage, "exception": type(error).__name__, "message": str(error)[:400], "at": place_of(error, *roots)}


def later(upstream, args):
    """The first of upstream's later checks that fails."""
    for stage, step in STEPS.items():
        try:
            step(upstream, args)
        except (SystemExit, Exception) as error:  # whatever upstream raises is the verdict
            told = refusal(stage, error, upstream.roots)
            if refuses(told, upstream.roots):
                return told
    return None


def refuses(told, roots):
    """Whether an error is one of upstream's own: pretended things have theirs."""
    if told["exception"] in ("AssertionError", "FileNotFoundError") or told["stage"] in ("placement", "tracking", "engines", "roles", "schedule", "profiler"):
        return True
    path, _, line = told["at"].rpartition(":")
    for root in roots:
        file = pathlib.Path(root, path)
        if path and file.exists():
            text = file.read_text().splitlines()
            return any("raise " in near for near in text[max(0, int(line) - 2) : int(line) + 3]) or "dataclass" in told["message"] or "unexpected keyword" in told["message"]
    return "unexpected keyword" in told["message"]


def placement(_upstream, args):
    from slime.ray import placement_group

    gpus, offset = placement_group._get_placement_group_layout(args)
    args.pretended_gpus = list(range(gpus))[offset:]


def tracking(_upstream, args):
    import wandb
    from slime.observability.logging_utils import init_tracking

    wandb.util.generate_id = lambda: "abcdef"
    init_tracking(copy.copy(args))


def engines(_upstream, args):
    from slime.ray import rollout

    if args.debug_train_only or args.rollout_external:
        return
    rollout._start_router = lambda *_words, **_named: ("127.0.0.1", 3000)
    rollout._allocate_rollout_engine_addr_and_ports_normal = lambda **_named: (collections.defaultdict(dict), {})
    rollout.start_rollout_servers(copy.copy(args), (None, args.pretended_gpus, args.pretended_gpus))


def length(_upstream, args):
    if args.num_rollout is None:
        args.num_rollout = ROLLOUTS * args.num_epoch
        assert args.num_rollout > 0


def roles(_upstream, args):
    from slime.utils.arguments import parse_megatron_role_args

    args.pretended_roles = {"actor": args}
    path = args.megatron_config_path
    if path is not None:
        args.pretended_roles["actor"] = parse_megatron_role_args(args, path, role="actor")
    if args.use_critic and args.num_rollout != 0:
        args.pretended_roles["critic"] = parse_megatron_role_args(args, path, role="critic") if path is not None else copy.copy(args)


def trains(args):
    return not args.debug_rollout_only


def mesh(upstream, args):
    if not trains(args):
        return
    from slime.backends.megatron_utils.initialize import _initialize_distributed
    from torch.testing._internal.distributed.fake_pg import FakeStore

    upstream.torch.distributed.init_process_group(backend="fake", rank=0, world_size=args.world_size, store=FakeStore())
    given = args.pretended_roles["actor"]
    given.enable_gloo_process_groups = False
    _initialize_distributed(given)


def profiler(_upstream, args):
    if not trains(args):
        return
    from slime.observability import profile_utils

    for recorder in (profile_utils._TorchMemoryProfiler, profile_utils._MemrayMemoryProfiler):
        recorder.start = lambda _self: None
    profile_utils.TrainProfiler(args)


def transformer_config(_upstream, args):
    if not trains(args):
        return
    from megatron.training.arguments import core_transformer_config_from_args

    for role in args.pretended_roles.values():
        role.pretended_config = core_transformer_config_from_args(role)


def layers(_upstream, args):
    if not trains(args):
        return
    from megatron.core.transformer import transformer_block

    chunks = args.virtual_pipeline_model_parallel_size
    for stage in range(args.pipeline_model_parallel_size):
        for chunk in range(chunks or 1):
            transformer_block.get_num_layers_to_build(args.pretended_roles["actor"].pretended_config, vp_stage=chunk if chunks else None, pp_rank=stage)


def model_and_optimizer(_upstream, args):
    if not trains(args):
        return
    from megatron.training import training
    from slime.backends.megatron_utils import model

    model.get_model = lambda *_words, **_named: [][: training.get_megatron_ddp_config(args) is None]
    model.get_megatron_optimizer = lambda **_named: types.SimpleNamespace(param_groups=[])
    for name, role in args.pretended_roles.items():
        model.setup_model_and_optimizer(role, name)


def schedule(_upstream, args):
    if not trains(args) or args.num_rollout == 0:
        return
    from slime.utils.dp_schedule import build_dp_schedule

    samples = args.rollout_batch_size * args.n_samples_per_prompt
    chunks = args.virtual_pipeline_model_parallel_size or 1
    shape = {
        "dp_size": args.data_parallel_size,
        "cp_size": args.context_parallel_size,
        "vpp_size": chunks,
        "microbatch_group_size_per_vp_stage": args.pretended_roles["actor"].pretended_config.microbatch_group_size_per_vp_stage if chunks > 1 else 1,
    }
    build_dp_schedule(args, shape, [TOKENS] * samples, global_batch_size=args.global_batch_size, rollout_indices=list(range(samples)))


STEPS = {
    "placement": placement,
    "tracking": tracking,
    "engines": engines,
    "length": length,
    "roles": roles,
    "mesh": mesh,
    "profiler": profiler,
    "transformer_config": transformer_config,
    "layers": layers,
    "model_and_optimizer": model_and_optimizer,
    "schedule": schedule,
}
