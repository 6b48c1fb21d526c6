"""Results as Markdown and JSON. Times are medians, or the least samples when the machine had other work; a
ratio says how many times faster we are than the fastest peer."""

import json

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (0, "ns"))


def duration(seconds):
    scale, unit = next((scale, unit) for scale, unit in UNITS if seconds >= scale)
    return f"{seconds / (scale or 1e-9):.3g} {unit}"


def size(count):
    return f"{count / 2**20:.4g} MiB"


def cell(entry, show):
    """One contestant's cell: its figure, or why there is none."""
    for reason, text in (("wrong", "WRONG"), ("error", "failed"), ("unsupported", "–")):
        if reason in entry:
            return text
    return show(entry) if entry else "–"


def statistic(table):
    return "min" if table["noisy"] else "median"


def best_peer(record, table):
    """(name, seconds) of the fastest peer of a row, or None."""
    times = [(entry[statistic(table)], name) for name, entry in record["results"].items()
             if table["contestants"][name] == "peer" and statistic(table) in entry]
    return min(times)[::-1] if times else None


def our_time(record, table):
    return record["results"].get("tenferro", {}).get(statistic(table))


def ratio(record, table):
    """How many times faster we are than the fastest peer; None when either has no time."""
    best, ours = best_peer(record, table), our_time(record, table)
    return best[1] / ours if best and ours else None


def time_table(table):
    names = list(table["contestants"])
    lines = [header(["row", *names, "faster than best peer", "bound", "of the bound"])]
    for record in table["rows"]:
        times = [cell(record["results"].get(name, {}), lambda entry: duration(entry[statistic(table)]))
                 for name in names]
        advantage, ours = ratio(record, table), our_time(record, table)
        bound = record["bound"]
        lines.append(line([record["id"], *times, f"{advantage:.2f}x" if advantage else "–",
                           duration(bound) if bound else "–",
                           f"{100 * bound / ours:.0f} %" if ours and bound else "–"]))
    return "\n".join(lines)


def memory_table(table):
    names = list(table["contestants"])
    lines = [header(["network", "live set", *names, "tenferro / live set"])]
    for record in table["rows"]:
        grown = lambda entry: entry["peak"] - entry["before"] - entry["files"]
        cells = [cell(record["results"].get(name, {}), lambda entry: size(grown(entry))) for name in names]
        ours = record["results"].get("tenferro", {})
        share = f"{grown(ours) / record['bound']:.2f}" if "peak" in ours and record["bound"] else "–"
        lines.append(line([record["id"], size(record["bound"]), *cells, share]))
    return "\n".join(lines)


QUICK = "; quick: small sizes, few rounds, without the slowest rows"


def header(names):
    return line(names) + "\n" + line(["---"] * len(names))


def line(cells):
    return "| " + " | ".join(cells) + " |"


def markdown(table):
    """One suite at one number of threads, with what a reader needs to repeat it."""
    machine, versions = table["machine"], table["versions"]
    body = memory_table(table) if table["suite"] == "memory" else time_table(table)
    return "\n".join([
        f"## {table['suite']}, {table['threads']} thread{'s' if table['threads'] > 1 else ''}", "",
        f"{machine['processor']}, {machine['processors']} processors, {machine['memory_gib']} GiB, "
        f"{machine['system']}; "
        f"{', '.join(f'{name} {version}' for name, version in versions.items())}; {table['date']}"
        f"{QUICK if table.get('quick') else ''}.", "",
        *([f"The machine had other work: load {machine['load']:.1f}. Times are the least of the samples and "
           "show that the harness runs, no more.", ""]
          if table["noisy"] else []), body, ""])


def to_json(table):
    """The table with one row a line and numbers of six digits."""
    head, rows = {name: value for name, value in table.items() if name != "rows"}, table["rows"]
    lines = ",\n".join(json.dumps(rounded(row)) for row in rows)
    return f"{json.dumps(rounded(head))[:-1]}, \"rows\": [\n{lines}\n]}}\n"


def rounded(value):
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


def complaints(table):
    """Every contestant's failure, one a line."""
    return [f"{record['id']}: {name}: {reason}: {entry[reason]}" for record in table["rows"]
            for name, entry in record["results"].items() for reason in ("wrong", "error") if reason in entry]
