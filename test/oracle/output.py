# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the oracles write: TOML that the example `oracle` of host/isa reads."""

import json
from pathlib import Path


def _table(header: str, values: dict) -> str:
    """A table of numbers, texts and arrays, which TOML writes as JSON does."""
    lines = [f"{json.dumps(key)} = {json.dumps(value)}\n" for key, value in values.items()]
    return f"{header}\n{''.join(lines)}"


def write(
    file: Path, memories: dict, excluded: dict[str, str], avoided: dict[str, str], runs: list[dict]
) -> None:
    """Writes contents of memories, what is not compared and why, and what the programs did."""
    tables = [("", memories), ("[excluded]", excluded), ("[avoided]", avoided)]
    tables += [("[[programs]]", run) for run in runs]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(_table(header, values) for header, values in tables))
