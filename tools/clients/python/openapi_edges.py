"""What the client reads of edges by OpenAPI."""
from common import BAKER, emitter, equal, eventually, graph, proposal
from datahub.ingestion.graph.openapi import LineageDirection, RelationshipDirection
from datahub.metadata.schema_classes import (
    DatasetLineageTypeClass,
    OwnerClass,
    OwnershipClass,
    OwnershipTypeClass,
    UpstreamClass,
    UpstreamLineageClass,
)

sender = emitter()
reader = graph()
dough, bread, toast = [f"urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.edges_{name},PROD)" for name in ("dough", "bread", "toast")]
for urn, source in ((bread, dough), (toast, bread)):
    sender.emit(proposal(urn, UpstreamLineageClass([UpstreamClass(source, DatasetLineageTypeClass.TRANSFORMED)])))
    sender.emit(proposal(urn, OwnershipClass([OwnerClass(BAKER, OwnershipTypeClass.DATAOWNER)])))


def related(urn, types, direction):
    found = reader.get_related_entities(urn, types, direction)
    return sorted((each.urn, each.relationship_type) for each in found)


outgoing, incoming = RelationshipDirection.OUTGOING, RelationshipDirection.INCOMING
eventually(lambda: related(bread, ["DownstreamOf"], incoming), [(toast, "DownstreamOf")])
equal(related(bread, ["DownstreamOf", "OwnedBy"], outgoing), sorted([(dough, "DownstreamOf"), (BAKER, "OwnedBy")]))
equal(related(dough, ["DownstreamOf"], outgoing), [])


def pages(read, **options):
    found, scroll_id = [], None
    while True:
        page = read(count=1, scroll_id=scroll_id, **options)
        found += page.relationships
        scroll_id = page.scroll_id
        if scroll_id is None:
            return found


edges = pages(reader.scroll_relationships, source_urns=[bread, toast], relationship_types=["OwnedBy", "DownstreamOf"])
equal(
    sorted((each.source_urn, each.relationship_type, each.destination_urn) for each in edges),
    sorted([(bread, "DownstreamOf", dough), (toast, "DownstreamOf", bread), (bread, "OwnedBy", BAKER), (toast, "OwnedBy", BAKER)]),
)
owned = pages(
    reader.scroll_relationships, source_types=["dataset"], destination_types=["corpuser"], source_urns=[bread], direction=outgoing
)
equal([(each.source_entity_type, each.destination_entity_type) for each in owned], [("dataset", "corpuser")])
lineage = pages(reader.scroll_lineage, urns=[bread])
equal(sorted((each.upstream_urn, each.downstream_urn) for each in lineage), sorted([(dough, bread), (bread, toast)]))
upstream = pages(reader.scroll_lineage, urns=[bread], direction=LineageDirection.UPSTREAM)
equal([(each.upstream_urn, each.downstream_urn) for each in upstream], [(dough, bread)])
