"""Patches by the client's builder: adding and removing without knowing the rest."""
from common import BAKER, DAILY, ORDERS, ORDERS_BY_DAY, emitter, equal, graph, proposal
from datahub.metadata.schema_classes import (
    DatasetPropertiesClass,
    OwnerClass,
    OwnershipTypeClass,
    TagAssociationClass,
    UpstreamClass,
)
from datahub.specific.dataset import DatasetPatchBuilder

PATCHED = "urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.patched,PROD)"
WEEKLY = "urn:li:tag:weekly"
sender = emitter()
reader = graph()


def patch(builder) -> None:
    for change in builder.build():
        sender.emit_mcp(change)


def tags():
    return sorted(tag.tag for tag in reader.get_tags(PATCHED).tags)


sender.emit_mcp(proposal(PATCHED, DatasetPropertiesClass(description="before", customProperties={"oven": "1"})))
patch(
    DatasetPatchBuilder(PATCHED)
    .add_tag(TagAssociationClass(tag=DAILY))
    .add_tag(TagAssociationClass(tag=WEEKLY))
    .add_owner(OwnerClass(owner=BAKER, type=OwnershipTypeClass.DATAOWNER))
    .add_upstream_lineage(UpstreamClass(dataset=ORDERS, type="TRANSFORMED"))
    .set_description("after")
    .add_custom_property("shift", "night")
)
equal(tags(), [DAILY, WEEKLY])
equal([owner.owner for owner in reader.get_ownership(PATCHED).owners], [BAKER])
properties = reader.get_dataset_properties(PATCHED)
equal((properties.description, properties.customProperties), ("after", {"oven": "1", "shift": "night"}))

patch(DatasetPatchBuilder(PATCHED).add_tag(TagAssociationClass(tag=DAILY)))
equal(tags(), [DAILY, WEEKLY])
patch(DatasetPatchBuilder(PATCHED).remove_tag(DAILY).remove_custom_property("oven").remove_owner(BAKER))
equal(tags(), [WEEKLY])
equal(reader.get_dataset_properties(PATCHED).customProperties, {"shift": "night"})
equal(reader.get_ownership(PATCHED).owners, [])
patch(
    DatasetPatchBuilder(PATCHED)
    .add_upstream_lineage(UpstreamClass(dataset=ORDERS_BY_DAY, type="TRANSFORMED"))
    .remove_upstream_lineage(ORDERS)
)
raw = reader.get_entity_raw(PATCHED, ["upstreamLineage"])["aspects"]["upstreamLineage"]["value"]
equal([upstream["dataset"] for upstream in raw["upstreams"]], [ORDERS_BY_DAY])
