"""Proposals by the emitter: written, read back, refused, taken away."""
from common import BAKER, DAILY, ORDERS, ORDERS_BY_DAY, emitter, equal, graph, proposal
from datahub.configuration.common import OperationalError
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.metadata.schema_classes import (
    ChangeTypeClass,
    DatasetLineageTypeClass,
    DatasetPropertiesClass,
    GlobalTagsClass,
    OwnerClass,
    OwnershipClass,
    OwnershipTypeClass,
    StatusClass,
    SystemMetadataClass,
    TagAssociationClass,
    UpstreamClass,
    UpstreamLineageClass,
)

sender = emitter()
sender.test_connection()
reader = graph()

properties = DatasetPropertiesClass(name="orders", description="Orders \u2014 one row each", customProperties={"team": "counter"})
ownership = OwnershipClass(owners=[OwnerClass(owner=BAKER, type=OwnershipTypeClass.DATAOWNER)])
tags = GlobalTagsClass(tags=[TagAssociationClass(tag=DAILY)])
lineage = UpstreamLineageClass(upstreams=[UpstreamClass(dataset=ORDERS, type=DatasetLineageTypeClass.TRANSFORMED)])
for urn, aspect in [(ORDERS, properties), (ORDERS, ownership), (ORDERS, tags), (ORDERS_BY_DAY, lineage)]:
    sender.emit(proposal(urn, aspect))
    equal(reader.get_aspect(urn, type(aspect)), aspect)

run = SystemMetadataClass(lastObserved=1760000000000, runId="evening-bake")
sender.emit(proposal(ORDERS_BY_DAY, DatasetPropertiesClass(description="by day"), systemMetadata=run))
stored = reader.get_entity_raw(ORDERS_BY_DAY, ["datasetProperties"])["aspects"]["datasetProperties"]
equal(stored["systemMetadata"]["runId"], "evening-bake")

sender.emit(
    MetadataChangeProposalWrapper(
        entityUrn=ORDERS_BY_DAY,
        entityType="dataset",
        changeType=ChangeTypeClass.UPSERT,
        aspectName="status",
        aspect=StatusClass(removed=False),
    )
)
equal(reader.get_aspect(ORDERS_BY_DAY, StatusClass), StatusClass(removed=False))

try:
    sender.emit(proposal("urn:li:tag:wrong", DatasetPropertiesClass(description="of no tag")))
    raise AssertionError("it was not refused")
except OperationalError as refused:
    assert "datasetProperties" in str(refused.info), refused.info
