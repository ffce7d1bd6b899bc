"""Runs programs of Python one after another, each in a fork of this process: the client's thousands of files are imported once.

Reads a line of JSON for each: `argv`, whose first is the program's path, and `stdout` and `stderr`, files that take what it says.
Answers a line with its exit code, negative for a signal. Its standard input is its life: when that ends, so does whatever runs.
"""
import gc
import importlib
import json
import os
import runpy
import select
import signal
import sys

# What the programs import as they go, as far as the release has it.
CLIENT = [
    "datahub.entrypoints",
    "datahub.cli.check_cli",
    "datahub.cli.delete_cli",
    "datahub.cli.exists_cli",
    "datahub.cli.get_cli",
    "datahub.cli.ingest_cli",
    "datahub.cli.put_cli",
    "datahub.ingestion.graph.client",
    "datahub.ingestion.run.pipeline",
    "datahub.ingestion.sink.datahub_rest",
    "datahub.ingestion.source.file",
    "datahub.metadata.schema_classes",
    "datahub.specific.dataset",
]


def import_client() -> None:
    for name in CLIENT:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as missing:
            if missing.name not in CLIENT:
                raise
    # The forks share what is there by now as long as nothing writes to it.
    gc.freeze()


def become(command) -> None:
    """Turns this process, a fork, into the one that the program expects."""
    opened = [
        os.open(os.devnull, os.O_RDONLY),
        *(os.open(command[name], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) for name in ("stdout", "stderr")),
    ]
    for number, file in enumerate(opened):
        os.dup2(file, number)
        os.close(file)
    sys.argv = command["argv"]
    sys.path[0] = os.path.dirname(sys.argv[0])


def wait_for(child: int, over: int, commands) -> int:
    """The exit code of `child`, at whose end `over` ends too."""
    ready, _, _ = select.select([over, commands], [], [])
    if over not in ready:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(over)
    return os.waitstatus_to_exitcode(status)


def next_program() -> str:
    """Returns in a fork of this process only, with the path of the program that it has to be."""
    # Without a buffer of ours, which would hide from `select` what it has read.
    commands = open(0, "rb", buffering=0, closefd=False)
    for line in iter(commands.readline, b""):
        command = json.loads(line)
        over, held = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(over)
            become(command)
            return sys.argv[0]
        os.close(held)
        os.write(1, f"{wait_for(child, over, commands)}\n".encode())
    os._exit(0)


import_client()
runpy.run_path(next_program(), run_name="__main__")
