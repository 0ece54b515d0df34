"""One table: all-reduce and all-to-all over Trainium3 UltraServers beside Trainium2's torus.

  python examples/systems_table.py [--bytes 1073741824]

A rank is a chip. `from` and `to`: all figures that nobody has published at their fast and at
their slow ends.
"""

from __future__ import annotations

import argparse

from trainyard import collectives

SYSTEMS = (
    ("trn2-ultraserver", 64, "4 x 4 x 4 torus"),
    ("trn3-gen1", 64, "switches"),
    ("trn3-gen2", 144, "switches"),
)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bytes", type=int, default=1 << 30, help="the buffer of a chip")
    options = parser.parse_args()
    print(f"\n=== Collectives of {options.bytes:,} B a chip ===")
    print(
        f"{'operation':12}{'system':18}{'chips':>6}  {'joined by':17}{'us':>9}{'from':>9}{'to':>9}"
        f"{'busbw GB/s':>12}  {'algorithm':14}busiest"
    )
    for operation in ("all_reduce", "all_to_all"):
        torus = 0.0
        for name, chips, kind in SYSTEMS:
            request = collectives.Request(operation, options.bytes, [list(range(chips))])
            row = collectives.price(collectives.Setting(name, 8), request)
            torus = torus or row["busbw"]
            busiest = row["loads"][0]
            print(
                f"{operation:12}{name:18}{chips:6}  {kind:17}{row['time_us']:9.0f}"
                f"{row['low_us']:9.0f}{row['high_us']:9.0f}{row['busbw'] / 1e9:12.1f}  "
                f"{row['algorithm']:14}{busiest['kind']} {busiest['share']:.0%}, "
                f"{row['busbw'] / torus:.2f}x the torus"
            )


if __name__ == "__main__":
    main()
