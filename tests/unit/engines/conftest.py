"""Engines that queries run in."""

import contextlib
import os
import socket
import sys
import tempfile

import ibis
import pyarrow as pa
import pytest

from java import SHORT_LIVED, java_home
from query_constructors import ENGINES, FURTHER


def free_port():
    """Find a port that no outgoing connection is given before Spark listens there."""
    start = 20_000 + os.getpid() % 10_000
    for port in range(start, start + 100):
        with contextlib.suppress(OSError), socket.create_server(("", port)):
            return port
    pytest.fail("no port is free")


@pytest.fixture(scope="session")
def spark():
    """Start Spark on two threads, with the Java of the machine or of a package."""
    if java := java_home():
        os.environ["JAVA_HOME"] = java
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable  # not any other python3
    os.environ["SPARK_SUBMIT_OPTS"] = SHORT_LIVED
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2,3]")  # a task may fail twice
        .config("spark.plugins", "org.apache.spark.sql.connect.SparkConnectPlugin")
        .config("spark.connect.grpc.binding.port", str(free_port()))
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def connect(spark):
    """Talk to Spark as a client does that has no Java."""
    from pyspark.sql.connect.session import SparkSession

    port = spark.conf.get("spark.connect.grpc.binding.port")
    session = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def postgres():
    """Start a PostgreSQL of a package."""
    pgserver = pytest.importorskip("pgserver", reason="no wheel for every Python")
    # Its socket has a short path, wherever the tests are.
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        pgserver.get_server(folder) as server,
    ):
        connection = ibis.connect(server.get_uri())
        yield connection
        connection.disconnect()


@pytest.fixture(params=list(ENGINES))
def engine(request):
    """Hand a table over to an engine."""

    def hand_over(columns, **types):
        arrays = {
            name: pa.array(column, types.get(name)) for name, column in columns.items()
        }
        return (ENGINES | FURTHER)[request.param](pa.table(arrays), request)

    return hand_over
