"""The emitter in its OpenAPI mode: writes, patches and deletions, alone and in batches."""
from common import SERVER, equal, eventually, graph, proposal
from datahub.emitter.rest_emitter import DatahubRestEmitter, EmitMode
from datahub.configuration.common import OperationalError, TraceValidationError
from datahub.metadata.schema_classes import (
    ChangeTypeClass,
    DatasetPropertiesClass,
    GlobalTagsClass,
    MetadataChangeProposalClass,
    StatusClass,
    TagAssociationClass,
    TagPropertiesClass,
)
from datahub.specific.dataset import DatasetPatchBuilder

WRITTEN = "urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.by openapi,PROD)"
TAGS = [f"urn:li:tag:openapi-{number}" for number in range(450)]
sender = DatahubRestEmitter(SERVER, openapi_ingestion=True)
reader = graph()

for mode in (EmitMode.SYNC_PRIMARY, EmitMode.SYNC_WAIT, EmitMode.ASYNC_WAIT):
    sender.emit(proposal(WRITTEN, DatasetPropertiesClass(description=mode.name)), emit_mode=mode)
    eventually(lambda: reader.get_aspect(WRITTEN, DatasetPropertiesClass).description, mode.name)

for patch in DatasetPatchBuilder(WRITTEN).add_tag(TagAssociationClass(tag=TAGS[0])).build():
    sender.emit(patch, emit_mode=EmitMode.SYNC_PRIMARY)
equal([each.tag for each in reader.get_aspect(WRITTEN, GlobalTagsClass).tags], [TAGS[0]])

# What became of an asynchronous write; the client asks only servers that name a version from 1.0.1 on.
trace = sender.emit_mcp(proposal(WRITTEN, StatusClass(removed=False)), emit_mode=EmitMode.ASYNC)
equal(trace.data, {WRITTEN: ["status"]})
sender._await_status([trace])
rejected = proposal(TAGS[0], TagPropertiesClass(name="never"), headers={"If-Version-Match": "7"})
trace = sender.emit_mcp(rejected, emit_mode=EmitMode.ASYNC)
try:
    sender._await_status([trace])
except TraceValidationError as error:
    assert "Expected version 7" in str(error), error
else:
    raise AssertionError("a rejected write passed for a good one")

# Several requests, of 200 aspects at most.
sender.emit_mcps([proposal(urn, TagPropertiesClass(name=urn)) for urn in TAGS], emit_mode=EmitMode.SYNC_PRIMARY)
equal([reader.get_aspect(urn, TagPropertiesClass).name for urn in TAGS[::50]], TAGS[::50])

guarded = proposal(TAGS[0], TagPropertiesClass(name="twice"), headers={"If-Version-Match": "7"})
try:
    sender.emit(guarded, emit_mode=EmitMode.SYNC_PRIMARY)
except OperationalError as error:
    assert "Expected version 7, actual version 1" in error.message, error.message
else:
    raise AssertionError("a condition that does not hold was passed over")
equal(reader.get_aspect(TAGS[0], TagPropertiesClass).name, TAGS[0])

sender.emit(
    MetadataChangeProposalClass(
        entityType="tag", entityUrn=TAGS[0], changeType=ChangeTypeClass.DELETE, aspectName="tagKey"
    )
)
equal((reader.exists(TAGS[0]), reader.exists(TAGS[1])), (False, True))
