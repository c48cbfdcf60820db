"""What AReaL's code would start, ask or read when it launches, as fakes: processes, GPUs, servers, models and files."""

import builtins
import importlib
import os
import pathlib
import re
import sys
import time

import stand_ins

# What would start, signal or ask a process, wherever upstream's modules have it.
SILENT = ["kill_process_tree", "terminate_process_and_children", "wait_for_server", "initialize_ray", "validate_shared_path"]


class Fake(stand_ins.Fake):
    """Holds nothing, and answers at once."""

    def __iter__(self):
        return iter(())

    def __await__(self):
        return self
        yield


class Process(Fake):
    pid, returncode = 4194304, None

    def poll(self):
        return None

    def wait(self, *_words, **_named):
        return 0


class Asked(Exception):
    """Thrown where a fake would have to answer over HTTP: upstream has no more to refuse until then."""


def fake_upstream(training, inference):
    """Replaces what upstream's modules would start, ask or read."""
    import torch.distributed

    ports = iter(range(20000, 2**31))
    anywhere = {
        **{name: lambda *_words, **_named: None for name in SILENT},
        "find_free_ports": lambda count, *_words, **_named: [next(ports) for _ in range(count)],
        "run_with_streaming_logs": Process,
        "load_hf_processor_and_tokenizer": lambda *_words, **_named: (None, Fake()),
        "load_hf_tokenizer": Fake(),
        "get_placement_group_master_ip_and_port": lambda *_words, **_named: ("127.0.0.1", 29500),
        "wait_llm_server_addrs": lambda *_words, **_named: ["127.0.0.1:1"],
        "is_available": lambda *_words: True,
        "is_version_greater_or_equal": lambda *_words: True,
        "is_version_less": lambda *_words: False,
        "get_tms_env_vars": dict,
        "query_jobs": lambda *_words, **_named: [],
        "RayRPCServer": Fake(),
        "PlacementGroupSchedulingStrategy": Fake,
        "_create_placement_group": Fake(),
        "gethostip": lambda: "127.0.0.1",
        "get_loopback_ip": lambda: "127.0.0.1",
    }
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "areal" and module is not None:
            for faked, by in anywhere.items():
                if faked in vars(module):
                    setattr(module, faked, by)
    torch.distributed.is_initialized = lambda: True
    torch.distributed.get_rank = lambda *_words: 0
    torch.distributed.barrier = lambda *_words, **_named: None
    from areal.utils import name_resolve

    class Names(name_resolve.MemoryNameRecordRepository):
        def __init__(self, *_words, **_named):
            super().__init__()

    name_resolve.Etcd3NameRecordRepository = name_resolve.RayNameResolveRepository = Names
    importlib.import_module("awex.meta.meta_server").start_meta_server = lambda *_words, **_named: ("127.0.0.1", 1)
    fake_schedulers()
    fake_controllers(training, inference)
    fake_launchers()


def fake_schedulers():
    from areal.infra import LocalScheduler, RayScheduler, SlurmScheduler
    from areal.infra.scheduler import local as local_module
    from areal.infra.scheduler import ray as ray_module
    from areal.infra.scheduler import slurm as slurm_module
    from areal.api.io_struct import LocalInfServerInfo

    async def call(_self, worker_id=None, method=None, *_words, **_named):
        if method == "launch_server":
            return LocalInfServerInfo(host="127.0.0.1", port=1, process=None)
        return {}

    async def nothing(_self, *_words, **_named):
        return None

    async def forked(self, _session, role, idx, target, *_words, **_named):
        port = self._allocate_ports(len(target.worker.worker_ports))
        worker = local_module.Worker(id=f"{role}/{idx}", ip="127.0.0.1", worker_ports=[str(one) for one in port], engine_ports=[])
        return local_module.WorkerInfo(worker=worker, process=None, role=role, gpu_devices=target.gpu_devices, created_at=0.0, log_file="", env_vars={})

    for scheduler in (LocalScheduler, RayScheduler, SlurmScheduler):
        scheduler.async_call_engine = call
        scheduler.call_engine = lambda *_words, **_named: {}
        scheduler.create_engine = nothing
        scheduler.set_worker_env = nothing
        scheduler.delete_workers = lambda *_words, **_named: None
        scheduler.__del__ = lambda _self: None
    LocalScheduler._configure_worker = lambda *_words, **_named: None
    LocalScheduler._is_worker_ready = lambda *_words, **_named: True
    LocalScheduler._cleanup_workers = lambda *_words, **_named: None
    LocalScheduler._fork_single_worker = forked
    RayScheduler._ping_workers = lambda *_words, **_named: None
    ray_module.ray = Fake()
    node = {"host": "127.0.0.1", "visible_devices": [str(gpu) for gpu in range(64)]}
    ray_module.ray.get = lambda asked, **_named: [node for _ in asked] if isinstance(asked, list) else ["1", "2"]
    RayScheduler._create_placement_group = Fake()
    ray_module.RayWorkerProcessLauncher = Fake()

    def workers(self, role, timeout=None):
        """Slurm's workers tell where they are by themselves; here they are known at once."""
        known = self._workers.get(role)
        if known is None and role in self._colocated_roles:
            return workers(self, self._colocated_roles[role])
        if known is None:
            raise slurm_module.WorkerNotFoundError(role)
        for info in known:
            info.worker.ip, info.worker.worker_ports = "127.0.0.1", [str(port) for port in range(max(1, info.spec.port_count if info.spec else 2))]
        return [info.worker for info in known]

    def fork(self, role, target_role, command=None):
        self._workers[role], self._colocated_roles[role] = self._workers[target_role], target_role
        return [f"{role}/{at}" for at in range(len(self._workers[role]))]

    # Since 2.0 Ray's workers are found in the same way.
    for scheduler in (SlurmScheduler, *([RayScheduler] if hasattr(RayScheduler, "_discover_worker_network") else [])):
        scheduler.get_workers, scheduler.fork_workers = workers, fork
    slurm_module.subprocess = Fake()
    slurm_module.subprocess.check_output = lambda *_words, **_named: b"Submitted batch job 1"
    slurm_module.subprocess.CalledProcessError = OSError


def fake_controllers(training, inference):
    from areal.infra.controller import RolloutController, train_controller

    def asks(*_words, **_named):
        raise Asked

    def heads(self):
        self.workers_is_dp_head = [rank < self.parallel_strategy.dp_size for rank in range(len(self.workers))]

    train_controller.TrainController._identify_dp_heads = heads
    RolloutController._start_callback_server = lambda _self: None
    RolloutController.callback_addr = inference.RolloutControllerV2.callback_addr = "127.0.0.1:1"
    for module, name in ((inference, "RolloutControllerV2"), (training, "GatewayTrainController")):
        module.create_httpx_client = asks
        if "requests" in vars(module):
            module.requests = Fake()
            module.requests.post = module.requests.get = asks
        controller = getattr(module, name)
        controller._get_async_client = asks
        controller.initialize = awaited(controller.initialize)
        controller._start_online_callback_server = lambda _self: None
        # Some of these upstream has not written yet; it would fail there, after everything that it checks.
        for method in ("connect_engine", "save", "offload", "onload", "pause", "config_perf_tracer"):
            setattr(controller, method, lambda *_words, **_named: None)


def awaited(initialize):
    """Those controllers start in the background; here their refusals come at once."""

    def wrapped(self, *words, **named):
        try:
            initialize(self, *words, **{**named, "wait": True})
        except Asked:
            pass
        except Exception as error:
            if not isinstance(error.__cause__, Asked) and not isinstance(error.__context__, Asked):
                raise
        self._init_future = None
        if hasattr(self, "server_infos"):
            type(self).server_infos = [Fake()]

    return wrapped


def fake_launchers():
    from areal.infra.launcher import local, ray, sglang_server, slurm, vllm_server

    for module in (local, slurm, sglang_server, vllm_server):
        module.subprocess = Fake()
        module.subprocess.Popen = Process
        module.subprocess.check_output = lambda *_words, **_named: b"Submitted batch job 1"
    ray.ray = Fake()
    for module in (local.LocalLauncher, ray.RayLauncher, slurm.SlurmLauncher):
        module.wait = lambda *_words, **_named: None
        module.stop_all = lambda *_words, **_named: None

    def launched(self, *_words, **_named):
        self._shutdown_requested = True
        return Process()

    for module in (sglang_server.SGLangServerWrapper, vllm_server.vLLMServerWrapper):
        module.launch_one_server = launched
        module._monitor_server_processes = lambda *_words, **_named: None


def keep_files():
    """From here on nothing is written: folders are there, and what is written goes nowhere."""
    real, waited, listed = builtins.open, time.sleep, os.listdir

    def opened(file, mode="r", *words, **named):
        return real(os.devnull if set(mode) & set("wax") else file, mode, *words, **named)

    builtins.open = opened
    os.listdir = lambda path=".": listed(path) if os.path.exists(path) else []
    os.makedirs = pathlib.Path.mkdir = lambda *_words, **_named: None
    time.sleep = lambda seconds: waited(min(seconds, 0.001))


def fake_engines():
    """Without a controller the script builds the engines itself, which takes GPUs."""
    import areal.engine as engines
    from areal.experimental.engine import archon_engine
    from areal.trainer import rl_trainer

    class Engine(Fake):
        data_parallel_rank, data_parallel_world_size = 0, 1

    for module in (engines, archon_engine):
        for name in dir(module):
            if re.fullmatch(r"(FSDP|Megatron|Archon)\w+", name):
                setattr(module, name, Engine)
    rl_trainer.RemoteSGLangEngine = rl_trainer.RemotevLLMEngine = Engine
