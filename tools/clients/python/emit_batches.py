"""Batches by the current emitter: synchronous, asynchronous, and one that is refused as a whole."""
from common import emitter, equal, eventually, graph, proposal
from datahub.configuration.common import OperationalError
from datahub.emitter.rest_emitter import EmitMode
from datahub.metadata.schema_classes import DatasetPropertiesClass, GlobalTagsClass, TagAssociationClass, TagPropertiesClass

sender = emitter()
reader = graph()


def loaf(number: int) -> str:
    return f"urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.loaf{number},PROD)"


def described(number: int, text: str):
    return proposal(loaf(number), DatasetPropertiesClass(description=text))


def description(number: int):
    properties = reader.get_dataset_properties(loaf(number))
    return None if properties is None else properties.description


# More than the client puts into one request, and the same urn twice: the last one counts.
batch = [described(number % 250, f"{number}") for number in range(300)]
sender.emit_mcps(batch, emit_mode=EmitMode.SYNC_PRIMARY)
equal([description(number) for number in (0, 49, 50, 249)], ["250", "299", "50", "249"])

sender.emit_mcps([described(300, "later"), described(301, "later")], emit_mode=EmitMode.ASYNC)
eventually(lambda: (description(300), description(301)), ("later", "later"))

wrong = proposal("urn:li:tag:wrong", DatasetPropertiesClass(description="of no tag"))
try:
    sender.emit_mcps([described(400, "never"), wrong], emit_mode=EmitMode.SYNC_PRIMARY)
    raise AssertionError("it was not refused")
except OperationalError as refused:
    assert "datasetProperties" in str(refused.info), refused.info
equal(description(400), None)

# Letters beyond ASCII, which this release writes as escapes into the urn.
sender.emit_mcp(proposal("urn:li:tag:n\u00e4chtlich", TagPropertiesClass(name="n\u00e4chtlich", description="a \u2014 b")))
equal(reader.get_aspect("urn:li:tag:n\u00e4chtlich", TagPropertiesClass).description, "a \u2014 b")
tags = GlobalTagsClass(tags=[TagAssociationClass(tag="urn:li:tag:n\u00e4chtlich")])
sender.emit_mcps([proposal(loaf(0), tags)])
equal(reader.get_tags(loaf(0)).tags[0].tag, "urn:li:tag:n\u00e4chtlich")
