"""Points of timeseries aspects: written by the emitter, read by the graph client."""
from common import emitter, equal, graph, proposal
from datahub.metadata.schema_classes import DatasetKeyClass, DatasetProfileClass, OperationClass, OperationTypeClass

OVENS = "urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.ovens,PROD)"
DAY_MS = 86_400_000
START_MS = 1_760_000_000_000
sender = emitter()
reader = graph()
for day in range(3):
    sender.emit(proposal(OVENS, DatasetProfileClass(timestampMillis=START_MS + day * DAY_MS, rowCount=10 + day)))
    kind = OperationTypeClass.INSERT if day == 1 else OperationTypeClass.DELETE
    at = START_MS + day * DAY_MS
    sender.emit(proposal(OVENS, OperationClass(timestampMillis=at, lastUpdatedTimestamp=at, operationType=kind)))

# A point is enough for the entity to be there.
equal(reader.get_aspect(OVENS, DatasetKeyClass).name, "bakery.ovens")
latest = reader.get_latest_timeseries_value(OVENS, DatasetProfileClass, {})
equal([latest.rowCount, latest.timestampMillis], [12, START_MS + 2 * DAY_MS])
inserted = reader.get_latest_timeseries_value(OVENS, OperationClass, {"operationType": "INSERT"})
equal(inserted.timestampMillis, START_MS + DAY_MS)
equal(reader.get_latest_timeseries_value(OVENS, OperationClass, {"operationType": "DROP"}), None)

sender.emit(proposal(OVENS, DatasetProfileClass(timestampMillis=START_MS + 2 * DAY_MS, rowCount=20)))
equal(reader.get_latest_timeseries_value(OVENS, DatasetProfileClass, {}).rowCount, 20)
if hasattr(reader, "get_timeseries_values"):
    two = reader.get_timeseries_values(OVENS, DatasetProfileClass, filter={}, limit=2)
    equal([each.rowCount for each in two], [20, 11])
