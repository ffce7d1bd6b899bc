"""What the programs share: the two ways into the client's library, and names of the bakery."""
import sys
import time

from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.rest_emitter import DatahubRestEmitter
from datahub.ingestion.graph.client import DataHubGraph, DatahubClientConfig

SERVER = sys.argv[1]
ORDERS = "urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.orders,PROD)"
ORDERS_BY_DAY = "urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.orders_by_day,PROD)"
NOTHING = "urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.nothing,PROD)"
BAKER = "urn:li:corpuser:baker"
DAILY = "urn:li:tag:daily"


def emitter() -> DatahubRestEmitter:
    return DatahubRestEmitter(SERVER)


def graph() -> DataHubGraph:
    return DataHubGraph(DatahubClientConfig(server=SERVER))


def proposal(urn, aspect, **more) -> MetadataChangeProposalWrapper:
    return MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect, **more)


def equal(actual, expected) -> None:
    assert actual == expected, f"\n  got      {actual}\n  expected {expected}"


def eventually(ask, expected) -> None:
    """Of an index, which follows the store."""
    for _ in range(200):
        if ask() == expected:
            return
        time.sleep(0.1)
    equal(ask(), expected)
