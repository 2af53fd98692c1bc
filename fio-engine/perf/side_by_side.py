#!/usr/bin/env python3
"""The engine's speed as a ratio: two fio jobs in turn, over the same file, again and again.

  fio-engine/perf/side_by_side.py --disk DIR [--memory DIR] [--pairs 9] [--seconds 3] [--only TEXT ...]

One job is the reference A, mostly a stock engine of fio; the other is ethio's, B. They run as A B, B A, A B, ... so that
what drifts (a neighbour on the machine, a drive that warms up) meets both. Each pair gives one ratio B/A; the median of
the ratios is the result, and beside it stands the interval that holds the true median with at least 95 % certainty
(from the order of the ratios alone, no distribution assumed). CPU time is what fio reports of its job: user and system
time over the number of I/Os.

Prints a Markdown table on stdout. Needs fio and nothing but Python's own library. The files it makes are removed.
"""

import argparse
import dataclasses
import json
import math
import os
import pathlib
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXED = ["--fixedbufs=1", "--registerfiles=1"]  # what ethio's uring executor always does


def batched(depth):
    """Stock fio told to do what ethio's engine does by itself: several I/Os in one system call."""
    return [f"--iodepth_batch={depth // 8}", f"--iodepth_batch_complete_max={depth // 8}", *FIXED]


@dataclasses.dataclass
class Case:
    name: str
    place: str  # "memory", "disk" or "" for jobs that touch no file
    a: list  # fio's arguments of the reference
    b: list  # and of ethio
    least_iops: float = 0  # targets for the ratios; 0: none
    most_cpu: float = 0


@dataclasses.dataclass
class Result:
    iops: float
    cpu_us: float  # of one I/O


def stock(depth, more=()):
    return ["--ioengine=io_uring", "--bs=4k", "--rw=randread", "--norandommap", f"--iodepth={depth}", *more]


def cases(engine, unpaced):
    def ethio(workload, *more):
        return [f"--ioengine=external:{engine}", f"--ethio_workload={workload}", *more]

    def uniform(depth, *more):
        return ethio("uniform-read", "--rw=randread", f"--ethio_lanes={depth}", f"--iodepth={depth}", *more)

    found = []
    for label, more in (("", []), (", fixed buffers and registered file", FIXED)):
        found.append(Case(f"tmpfs, depth 32{label}", "memory", stock(32, more), uniform(32), 1.00, 1.02))
        for depth in (1, 4, 64):
            direct = ["--direct=1"]
            found.append(
                Case(
                    f"disk O_DIRECT, depth {depth}{label}",
                    "disk",
                    stock(depth, more + direct),
                    uniform(depth, *direct),
                    0.99,
                    1.02,
                )
            )
    batching = "fixed buffers, registered file, batches of an eighth"
    found.append(Case(f"tmpfs, depth 32, {batching}", "memory", stock(32, batched(32)), uniform(32)))
    direct = ["--direct=1"]
    found.append(
        Case(f"disk O_DIRECT, depth 64, {batching}", "disk", stock(64, batched(64) + direct), uniform(64, *direct))
    )
    null = ["--ioengine=null", "--bs=4k", "--norandommap"]
    found.append(
        Case(
            "null, uniform-read",
            "",
            [*null, "--rw=randread", "--iodepth=1"],
            uniform(1, "--ethio_executor=null"),
            0.85,
            1 / 0.85,
        )
    )
    found.append(
        Case(
            "null, chain-head-geth with its background unpaced",
            "",
            [*null, "--rw=randrw", "--rwmixread=99", "--iodepth=20"],  # its lanes
            ethio(unpaced, "--rw=randrw", "--ethio_executor=null"),
            0.60,
            1 / 0.60,
        )
    )
    four_lanes = ethio("chain-head", "--rw=randrw", "--direct=1", "--ethio_lanes=4")
    found.append(
        Case(
            "barriers: 4 lanes at depth 4 (A) and 32 (B)",
            "disk",
            [*four_lanes, "--iodepth=4"],
            [*four_lanes, "--iodepth=32"],
            0,
            1.25,
        )
    )
    return found


def fio(arguments):
    command = ["fio", *arguments, "--output-format=json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"ethio: {' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)["jobs"][0]


def measure(arguments, target, options):
    # The engine comes first: its options are known to fio only after it.
    job = fio(
        [
            *arguments,
            "--name=side",
            f"--filename={target}",
            f"--size={options.size}",
            "--time_based",
            f"--runtime={round(options.seconds * 1000)}ms",
            f"--clocksource={options.clock}",
        ]
    )
    ios = sum(job[way]["total_ios"] for way in ("read", "write", "sync"))
    milliseconds = job["job_runtime"]
    busy = (job["usr_cpu"] + job["sys_cpu"]) / 100
    return Result(ios / milliseconds * 1000, busy * milliseconds * 1000 / ios)


def interval(ratios):
    """The order statistics that enclose the median with at least 95 %: widest where that takes all there is."""
    ordered = sorted(ratios)
    count = len(ordered)
    left_out = 0
    while 2 * sum(math.comb(count, i) for i in range(left_out + 2)) / 2**count <= 0.05:
        left_out += 1
    return ordered[left_out], ordered[count - 1 - left_out]


def verdict(ratios, least=0.0, most=0.0):
    low, high = interval(ratios)
    middle = statistics.median(ratios)
    text = f"{middle:.3f} ({low:.3f} – {high:.3f})"
    if least:
        text += f", target ≥ {least:.2f}: {'met' if middle >= least else 'missed'}"
    if most:
        text += f", target ≤ {most:.2f}: {'met' if middle <= most else 'missed'}"
    return text


def compare(case, target, options):
    measure(case.a, target, options)  # not counted: what the first run pays, neither side should
    sides = {"a": [], "b": []}
    for pair in range(options.pairs):
        for side in "ab" if pair % 2 == 0 else "ba":
            sides[side].append(measure(case.a if side == "a" else case.b, target, options))
    pairs = list(zip(sides["a"], sides["b"]))
    iops = [b.iops / a.iops for a, b in pairs]
    cpu = [b.cpu_us / a.cpu_us for a, b in pairs if a.cpu_us > 0]
    cells = [
        case.name,
        f"{statistics.median(a.iops for a, _ in pairs):,.0f}",
        f"{statistics.median(b.iops for _, b in pairs):,.0f}",
        verdict(iops, least=case.least_iops),
        f"{statistics.median(a.cpu_us for a, _ in pairs):.2f}",
        f"{statistics.median(b.cpu_us for _, b in pairs):.2f}",
        verdict(cpu, most=case.most_cpu) if cpu else "too short to tell",
    ]
    print("| " + " | ".join(cells) + " |", flush=True)


def fill(target, options):
    """Written in full: reads of what was only allocated would not reach the device."""
    fio(
        [
            "--name=fill",
            f"--filename={target}",
            f"--size={options.size}",
            "--rw=write",
            "--bs=1m",
            "--end_fsync=1",
            "--ioengine=psync",
        ]
    )


def compare_all(chosen, folders, options):
    for place in {case.place for case in chosen} - {""}:
        fill(f"{folders[place]}/target", options)
    print(f"{machine()}; {options.pairs} pairs of {options.seconds:g} s, file of {options.size}\n")
    print("| case | A: I/Os per s | B: I/Os per s | B/A | A: CPU µs per I/O | B: CPU µs per I/O | B/A |")
    print("|---|--:|--:|---|--:|--:|---|", flush=True)
    for case in chosen:
        compare(case, f"{folders[case.place]}/target", options)


def machine():
    cpuinfo = pathlib.Path("/proc/cpuinfo").read_text(errors="replace")
    virtual = ", virtual machine" if " hypervisor" in cpuinfo else ""
    version = subprocess.run(["fio", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    kernel = ".".join(platform.release().split("-")[0].split(".")[:2])
    return f"{os.cpu_count()} CPUs{virtual}, Linux {kernel}, {version}"


def write_unpaced(path):
    """chain-head-geth rests by its definition: its background is paced, and it waits for that when it is behind. What it
    can do at most shows without."""
    definition = json.loads((ROOT / "workloads" / "chain-head-geth.json").read_text())
    for stream in definition["background"]:
        stream.pop("burst", None)
    path.write_text(json.dumps(definition))


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog="See the head of this file for the method."
    )
    parser.add_argument("--engine", default=ROOT / "build" / "libethio.so", type=pathlib.Path)
    parser.add_argument("--disk", required=True, help="a directory on the disk to be measured")
    parser.add_argument("--memory", default="/dev/shm", help="a directory on a tmpfs")
    parser.add_argument("--size", default="1g", help="of the file (default 1g)")
    parser.add_argument("--pairs", default=9, type=int, help="7 or more tell something (default 9)")
    parser.add_argument("--seconds", default=3, type=float, help="of one run (default 3)")
    # Left alone, fio chooses anew in each run, after a test of the clock that not every run passes.
    parser.add_argument("--clock", default="cpu", help="fio's clocksource= (default cpu)")
    parser.add_argument("--only", action="append", default=[], help="cases whose name contains this; may be repeated")
    options = parser.parse_args()
    if shutil.which("fio") is None:
        parser.error("fio is not installed")
    for needed in (options.engine, options.disk, options.memory):
        if not os.path.exists(needed):
            parser.error(f"{needed} does not exist")
    return options


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="ethio-", dir=options.memory) as memory:
        unpaced = pathlib.Path(memory) / "unpaced.json"
        write_unpaced(unpaced)
        found = cases(options.engine.resolve(), unpaced)
        chosen = [case for case in found if not options.only or any(text in case.name for text in options.only)]
        if not chosen:
            sys.exit("ethio: no case has a name with that in it")
        with tempfile.TemporaryDirectory(prefix="ethio-", dir=options.disk) as disk:
            compare_all(chosen, {"memory": memory, "disk": disk, "": memory}, options)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # through the removal of files
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
