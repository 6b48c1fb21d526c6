"""What the examples show: a table of numbers, and a plot in a file where matplotlib is installed."""

import argparse


def arguments(description):
    """--quick for small sizes, --plot FILE.png (or .svg) for a plot."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="small sizes, a few seconds")
    parser.add_argument("--plot", metavar="FILE", help="write a plot there")
    return parser.parse_args()


def table(names, rows):
    """Prints columns of numbers under their names."""
    print("".join(f"{name:>16}" for name in names))
    for row in rows:
        print("".join(f"{value:16.8g}" for value in row))


def plot(path, draw, size=(9.0, 3.6), columns=2):
    """Calls draw(axes, ...) on the axes of a figure and writes it, if a path is given and matplotlib is
    there."""
    if path is None:
        return
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib is not installed")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, columns, figsize=size, layout="constrained", squeeze=False)
    draw(*axes[0])
    for one in axes[0]:
        one.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=130)
    print(f"plot: {path}")


def agree(name, value, exact, tolerance):
    """Prints both and ends the program if they differ by more."""
    error = abs(value - exact)
    print(f"{name}: {value:.10g}, exact {exact:.10g}, difference {error:.1e}")
    if not error <= tolerance:
        raise SystemExit(f"{name} differs by more than {tolerance:g}")
