"""Snapshots by the emitter: several aspects of one entity in one call, with unions and enums as older sources write them."""
from common import BAKER, ORDERS, emitter, equal, graph
from datahub.metadata.schema_classes import (
    AuditStampClass,
    ChangeAuditStampsClass,
    ChartInfoClass,
    ChartSnapshotClass,
    ChartTypeClass,
    DataJobInfoClass,
    DataJobSnapshotClass,
    DatasetSnapshotClass,
    GlossaryTermInfoClass,
    GlossaryTermSnapshotClass,
    KafkaSchemaClass,
    MetadataChangeEventClass,
    NumberTypeClass,
    OwnerClass,
    OwnershipClass,
    OwnershipTypeClass,
    SchemaFieldClass,
    SchemaFieldDataTypeClass,
    SchemaMetadataClass,
    TagPropertiesClass,
    TagSnapshotClass,
)

SNAPSHOT = "urn:li:dataset:(urn:li:dataPlatform:kafka,bakery.baked,PROD)"
sender = emitter()
reader = graph()
stamp = AuditStampClass(time=1760000000000, actor=BAKER)

schema = SchemaMetadataClass(
    schemaName="baked",
    platform="urn:li:dataPlatform:kafka",
    version=0,
    hash="",
    platformSchema=KafkaSchemaClass(documentSchema='{"type": "record"}'),
    fields=[SchemaFieldClass(fieldPath="id", type=SchemaFieldDataTypeClass(type=NumberTypeClass()), nativeDataType="long")],
)
ownership = OwnershipClass(owners=[OwnerClass(owner=BAKER, type=OwnershipTypeClass.DATAOWNER)], lastModified=stamp)
chart = ChartInfoClass(
    title="Baked by hour",
    description="",
    lastModified=ChangeAuditStampsClass(created=stamp, lastModified=stamp),
    inputs=[ORDERS],
    type=ChartTypeClass.SCATTER,
)
snapshots = [
    DatasetSnapshotClass(urn=SNAPSHOT, aspects=[ownership, schema]),
    ChartSnapshotClass(urn="urn:li:chart:(looker,bakery.baked)", aspects=[chart]),
    DataJobSnapshotClass(
        urn="urn:li:dataJob:(urn:li:dataFlow:(airflow,bakery,PROD),bake)",
        aspects=[DataJobInfoClass(name="bake", type="SQL")],
    ),
    TagSnapshotClass(urn="urn:li:tag:rye", aspects=[TagPropertiesClass(name="rye", description="Of rye")]),
    GlossaryTermSnapshotClass(
        urn="urn:li:glossaryTerm:bakery.Loaf",
        aspects=[GlossaryTermInfoClass(definition="A bread", termSource="INTERNAL")],
    ),
]
for snapshot in snapshots:
    sender.emit_mce(MetadataChangeEventClass(proposedSnapshot=snapshot))
    for aspect in snapshot.aspects:
        equal(reader.get_aspect(snapshot.urn, type(aspect)), aspect)
