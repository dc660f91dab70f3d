"""`python3 serve.py`: set everything up, even on a fresh machine. Then serve the pages on this machine."""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from pathlib import Path

from tools.bootstrap import ROOT, SetupError, enter, say

REFERENCE = ROOT.parent / "shared" / "reference" / "diagrams"
INDEX = "index.json"


def main(arguments: list[str]) -> int:
    """Set up, build, serve, and open the browser."""
    options = parse(arguments)
    try:
        enter("serve")
        from tools.build import build
        from tools.pages import refresher
        from tools.server import open_server
        from tools.vendor import vendor

        vendor()
        build()
        if options.export is not None:
            from tools.export import export

            export(options.export, options.address)
            return 0
        if options.build_only:
            say("static/ is complete")
            return 0
        server = open_server(ROOT / "static", options.host, options.port, refresher())
        if (folder := diagrams_in(options.diagrams)) is not None:
            server.library.lend("/diagrams/", folder)
            say(f"the page Diagrams shows those of {folder}")
        if options.pyodide is not None:
            from tools.distribution import distribution

            server.library.beside = distribution(options.pyodide)
    except SetupError as error:
        print(f"eglantine: {error}", file=sys.stderr)
        return 1
    say(f"the page is at {server.url} (Ctrl+C ends)")
    if not options.no_open and has_display():
        webbrowser.open(server.url)
    try:
        server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        say("ended")
    finally:
        server.server_close()
    return 0


def diagrams_in(given: Path | None) -> Path | None:
    """Return the folder of Penrose's diagrams: `given`, or the reference folder beside the checkout.

    Raises:
        SetupError: the given folder has no diagrams.
    """
    place = given or REFERENCE
    if (place / INDEX).is_file():
        return place
    if given is None:
        return None
    raise SetupError(
        f"There is no {INDEX} in {given}. Give the folder that holds index.json, graphs and shapes."
    )


def has_display() -> bool:
    """Return True if a browser can open a window. A text browser would take over the server's terminal."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def parse(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="serve.py", description=__doc__)
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (127.0.0.1: only this machine)"
    )
    parser.add_argument(
        "--diagrams",
        type=Path,
        metavar="FOLDER",
        help="show Penrose's diagrams in this folder too (by default the reference folder, if it is there)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")
    parser.add_argument("--build-only", action="store_true", help="make everything, serve nothing")
    parser.add_argument(
        "--export",
        type=Path,
        metavar="FOLDER",
        help="write the site for any host, serve nothing",
    )
    parser.add_argument(
        "--address",
        metavar="URL",
        help="with --export: the address at which the site will be, for search engines and previews of links",
    )
    parser.add_argument(
        "--pyodide",
        type=Path,
        metavar="FOLDER",
        help="serve the packages of a full Pyodide distribution to the playground's programs",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
