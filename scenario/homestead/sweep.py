# SPDX-License-Identifier: MIT OR Apache-2.0
"""How many frames the pump loses, as the link from the house gets worse: runs homestead.toml with
20 seeds for each of a few losses, and writes a table and a plot: `sweep.py LICHEN FOLDER`.

LICHEN is the command, such as ./lichen; FOLDER gets sweep.csv and sweep.svg.
"""

import json
import subprocess
import sys
from pathlib import Path

import dask
import matplotlib.pyplot as plt
import pandas as pd

SCENARIO = Path(__file__).with_name("homestead.toml")
SEEDS = range(1, 21)
LOSSES = [0.0, 0.2, 0.4, 0.6]


@dask.delayed
def run(lichen: str, seed: int, loss: float) -> dict:
    """Runs the scenario once; a row of the table."""
    call = [lichen, "run", SCENARIO, "--for", "5s", "--seed", str(seed), "--summary", "-"]
    # Runs are side by side, so that each needs one thread only.
    call += ["--set", f"link.0.quality={1 - loss:.3}", "--threads", "1"]
    done = subprocess.run(call, capture_output=True, text=True)
    if not done.stdout:
        sys.exit(done.stderr)
    header, summary = map(json.loads, done.stdout.splitlines())
    if summary["exit"] != 0:
        sys.exit(f"seed {header['seed']}: {summary['failure']['message']}")
    air = {mote["name"]: mote["air"] for mote in summary["motes"]}
    faded = air["pump"]["lost"].get("faded", 0)
    return {
        "loss": loss,
        "seed": header["seed"],
        "image": header["programs"][0]["image"][:8],
        "sent": air["house"]["sent"],
        "faded": faded,
        "share": faded / air["house"]["sent"],
        "unacknowledged": summary["all"]["lost"].get("link: no ack", 0),
    }


def plot(table: pd.DataFrame, file: Path) -> None:
    """The mean of the runs of each loss, and their range."""
    groups = table.groupby("loss")
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    for axis, column, name in zip(
        axes,
        ["share", "unacknowledged"],
        ["share of frames that fade", "packets without acknowledgment"],
        strict=True,
    ):
        mean, least, most = (groups[column].agg(what) for what in ["mean", "min", "max"])
        axis.errorbar(mean.index, mean, yerr=[mean - least, most - mean], marker="o", capsize=4)
        axis.set_xlabel("loss of the link from house to pump")
        axis.set_ylabel(name)
    figure.savefig(file)


def main() -> None:
    lichen, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    # Each run is a program of its own, so threads suffice to call them. A dask.distributed.Client
    # shares them out among machines.
    runs = [run(lichen, seed, loss) for loss in LOSSES for seed in SEEDS]
    table = pd.DataFrame(dask.compute(*runs, scheduler="threads"))
    table.to_csv(folder / "sweep.csv", index=False)
    plot(table, folder / "sweep.svg")
    print(table.groupby("loss")[["sent", "faded", "share", "unacknowledged"]].mean().round(2))


if __name__ == "__main__":
    main()
