"""Commands that start at once: forks of one process that has loaded the package.

`python command_server.py FOLDER` writes the command `pavcodec` into a folder and waits. The command
hands its words, folder, environment and three streams to the server. A fork of the server runs
them as a process of its own, with real pipes, files and exit codes.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
import traceback
from pathlib import Path

SOCKET = "server"
SHIM = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({path!r})
    socket.send_fds(server, [b"-"], [0, 1, 2])
    server.sendall(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode())
    server.shutdown(socket.SHUT_WR)
    sys.exit(int(server.recv(9)))
"""


def load_all() -> None:
    """Import every module of the package."""
    package = importlib.import_module("pavcodec")
    for module in pkgutil.walk_packages(package.__path__, "pavcodec."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    gc.freeze()  # so that forks copy nothing when they collect garbage


def become(words: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> None:
    """Give this process the words, folder, environment and streams of a command."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["pavcodec", *words]
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.stderr.reconfigure(line_buffering=True)


def finish() -> None:
    """Run the command and end the process, without taking the interpreter down bit by bit."""
    try:
        code = importlib.import_module("pavcodec.cli").main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    except BaseException:  # noqa: BLE001 (as the interpreter does)
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def answer(connection: socket.socket) -> None:
    """Run one command in a fork, and send its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(connection, 1, 3)
    with connection.makefile("rb") as request:
        words, folder, environment = json.load(request)
    child = os.fork()
    if not child:
        connection.close()
        become(words, folder, environment, streams)
        finish()
    for stream in streams:
        os.close(stream)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    connection.sendall(str(code).encode())
    os._exit(0)


def serve(folder: Path) -> None:
    """Write the command into a folder, and answer until the process is ended."""
    load_all()
    path = str(folder / SOCKET)
    shim = folder / "pavcodec"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(16)
        shim.write_text(SHIM.format(python=sys.executable, path=path), encoding="utf-8")
        shim.chmod(0o755)
        print("ready", flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
        while True:
            connection, _ = listener.accept()
            if not os.fork():
                listener.close()
                answer(connection)
            connection.close()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
