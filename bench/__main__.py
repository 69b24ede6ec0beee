"""`python -m bench [NAME ...]`: run the named benchmarks, or all of them."""

import importlib
import sys

BENCHES = ("domain", "audit", "arena", "store", "turns", "latency", "memory", "moves", "streams", "limits", "watching")


def main() -> None:
    """Run what was asked for."""
    names = sys.argv[1:] or BENCHES
    for name in names:
        if name not in BENCHES:
            sys.exit(f"no benchmark {name}; there are: {', '.join(BENCHES)}")
        print(f"== {name}")
        importlib.import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main()
