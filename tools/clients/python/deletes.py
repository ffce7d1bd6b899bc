"""Soft deletion, restoring, and deletion for good."""
from common import emitter, equal, graph, proposal
from datahub.metadata.schema_classes import DatasetPropertiesClass, GlobalTagsClass, StatusClass, TagAssociationClass

STALE = "urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.stale,PROD)"
OLD = "urn:li:tag:old"
sender = emitter()
reader = graph()
sender.emit(proposal(STALE, DatasetPropertiesClass(description="stale")))
sender.emit(proposal(STALE, GlobalTagsClass(tags=[TagAssociationClass(tag=OLD)])))

reader.soft_delete_entity(STALE)
equal(reader.get_aspect(STALE, StatusClass), StatusClass(removed=True))
equal(reader.exists(STALE), True)
if hasattr(reader, "set_soft_delete_status"):
    reader.set_soft_delete_status(STALE, delete=False)
    equal(reader.get_aspect(STALE, StatusClass), StatusClass(removed=False))

rows, points = reader.hard_delete_entity(STALE)
assert rows >= 3, rows
equal(points, 0)
equal(reader.exists(STALE), False)
equal(reader.get_dataset_properties(STALE), None)
equal(reader.hard_delete_entity(STALE)[1], 0)
