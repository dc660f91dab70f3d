"""Find a Chromium for tests and benches. If we are root on Debian, install a missing Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tools.bootstrap import SetupError, say

VARIABLE = "EGLANTINE_CHROMIUM"
"""An environment variable. If it holds the path of a Chromium, we use this Chromium and do not look for
another one."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
SHELL = "chromium-headless-shell"
"""The name of a package of Debian and of its program: a Chromium without windows and their interface. It
draws pages and runs scripts with the same code as Chromium. With it, the browser tests take a quarter less
processor time."""
MAC_APPLICATIONS = ("Google Chrome", "Chromium", "Microsoft Edge")
WINDOWS_PROGRAMS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)

ADDRESS_BAR_PAGES = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
"""Pages that each new window loads for its address bar, even if nobody sees the window. A new window takes
1.2 s of processor time, and these pages take 0.8 s of it."""
PLAYWRIGHT_DISABLES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
"""Features that Playwright turns off (in its chromiumSwitches.ts). We repeat them in our list of features to
turn off, because Chromium uses only the last such list."""

QUIET = (
    f"--disable-features={','.join((*PLAYWRIGHT_DISABLES, *ADDRESS_BAR_PAGES))}",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-gpu",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
)
"""Options of the browser. With them, it makes no requests of its own, only those of the pages. It draws
without a graphics card."""
IN_A_CONTAINER = ("--no-sandbox", "--disable-dev-shm-usage")
"""Options of the browser in a container. They are needed because Chromium's sandbox refuses to run as root,
and because a container's /dev/shm is small."""


def find_chromium() -> Path | None:
    """Return the path of a Chromium on this machine, or None."""
    named = os.environ.get(VARIABLE)
    for path in [Path(named)] if named else candidates():
        if path.is_file():
            return path
    return None


def candidates() -> Iterable[Path]:
    """Yield paths where Chromium or a similar browser may be installed, the best choice first."""
    for name in NAMES:
        program = shutil.which(name)
        if program:
            yield Path(program)
    if sys.platform == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            yield from (folder / f"{name}.app" / "Contents" / "MacOS" / name for name in MAC_APPLICATIONS)
    if sys.platform == "win32":
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            folder = os.environ.get(variable)
            if folder:
                yield from (Path(folder, program) for program in WINDOWS_PROGRAMS)


def find_shell() -> Path | None:
    """Return the path of the headless shell (a Chromium without windows), or else of any Chromium."""
    shell = None if os.environ.get(VARIABLE) else shutil.which(SHELL)
    return Path(shell) if shell else find_chromium()


def require_shell() -> Path:
    """Return the path of a Chromium for tests. If we are root on Debian, install the headless shell first.

    Raises:
        SetupError: Chromium is not installed. The message says what to install.
    """
    if VARIABLE not in os.environ and shutil.which(SHELL) is None and can_install():
        install(SHELL, update=find_chromium() is None)
    return find_shell() or require_chromium()


def require_chromium() -> Path:
    """Return the path of a Chromium. If we are root on Debian or Ubuntu, install a missing Chromium.

    Raises:
        SetupError: Chromium is not installed. The message says what to install.
    """
    chromium = find_chromium()
    if chromium is None and can_install():
        install("chromium")
        chromium = find_chromium()
    if chromium is None:
        raise SetupError(
            "The browser tests need Chromium or Chrome, and none was found on PATH or in its usual "
            f"places. Install one (Debian: apt-get install chromium), or set {VARIABLE} to its path."
        )
    return chromium


def can_install() -> bool:
    """True if we are root on a system with apt-get."""
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(package: str, *, update: bool = True) -> None:
    """Try to install a Debian package. Ignore errors. The caller must check that the program exists."""
    say(f"installing {package} with apt-get")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (
        *([["update", "-qq"]] if update else []),
        ["install", "-y", "-qq", "--no-install-recommends", package],
    ):
        subprocess.run(
            ["apt-get", *arguments], env=quiet, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False
        )


def launch_arguments() -> list[str]:
    """Return Chromium's command-line arguments for tests."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*QUIET, *(IN_A_CONTAINER if root else ())]
