"""Searches, lineage and the schema by GraphQL."""
from common import emitter, equal, eventually, graph, proposal
from datahub.ingestion.graph.filters import RemovedStatusFilter
from datahub.metadata.schema_classes import (
    BrowsePathEntryClass,
    BrowsePathsV2Class,
    ContainerClass,
    ContainerPropertiesClass,
    DatasetLineageTypeClass,
    DatasetPropertiesClass,
    FineGrainedLineageClass,
    FineGrainedLineageDownstreamTypeClass,
    FineGrainedLineageUpstreamTypeClass,
    StatusClass,
    UpstreamClass,
    UpstreamLineageClass,
)
from datahub.sdk import DataHubClient, FilterDsl

sender = emitter()
reader = graph()
client = DataHubClient(graph=reader)
bin_urn = "urn:li:container:bin"
flour = "urn:li:dataset:(urn:li:dataPlatform:graphite,bakery.flour,PROD)"
dough = "urn:li:dataset:(urn:li:dataPlatform:graphite,bakery.dough,PROD)"
crumbs = "urn:li:dataset:(urn:li:dataPlatform:graphite,bakery.crumbs,DEV)"
sender.emit(proposal(bin_urn, ContainerPropertiesClass(name="bin")))
for urn in (flour, dough, crumbs):
    sender.emit(proposal(urn, DatasetPropertiesClass(name=urn.split(",")[1], description="of the bakery")))
sender.emit(proposal(flour, ContainerClass(container=bin_urn)))
sender.emit(proposal(flour, BrowsePathsV2Class(path=[BrowsePathEntryClass(id=bin_urn, urn=bin_urn)])))
column = f"urn:li:schemaField:({flour},weight)"
sender.emit(
    proposal(
        dough,
        UpstreamLineageClass(
            upstreams=[UpstreamClass(dataset=flour, type=DatasetLineageTypeClass.TRANSFORMED)],
            fineGrainedLineages=[
                FineGrainedLineageClass(
                    upstreamType=FineGrainedLineageUpstreamTypeClass.FIELD_SET,
                    upstreams=[column],
                    downstreamType=FineGrainedLineageDownstreamTypeClass.FIELD,
                    downstreams=[f"urn:li:schemaField:({dough},weight)"],
                )
            ],
        ),
    )
)


def urns(**filters):
    return sorted(reader.get_urns_by_filter(batch_size=2, **filters))


# Filters, also on fields that datasets do not have.
eventually(lambda: urns(platform="graphite"), [crumbs, dough, flour])
equal(urns(platform="graphite", env="PROD"), [dough, flour])
equal(urns(entity_types=["dataset"], platform="graphite", env="DEV"), [crumbs])
eventually(lambda: urns(container=bin_urn), [flour])
equal(urns(entity_types=["dataset"], query="nowhere_to_be_found"), [])
equal(sorted(map(str, client.search.get_urns(filter=FilterDsl.platform("graphite")))), [crumbs, dough, flour])

# Soft-deleted ones.
sender.emit(proposal(crumbs, StatusClass(removed=True)))
eventually(lambda: urns(platform="graphite"), [dough, flour])
equal(urns(platform="graphite", status=RemovedStatusFilter.ALL), [crumbs, dough, flour])
equal(urns(platform="graphite", status=RemovedStatusFilter.ONLY_SOFT_DELETED), [crumbs])

# Lineage, of entities and of columns.
eventually(lambda: [each.urn for each in client.lineage.get_lineage(source_urn=dough)], [flour])
(found,) = client.lineage.get_lineage(source_urn=flour, direction="downstream", max_hops=3)
equal((found.urn, found.type, found.hops, found.platform), (dough, "DATASET", 1, "graphite"))
(found,) = client.lineage.get_lineage(source_urn=flour, source_column="weight", direction="downstream")
equal((found.type, found.hops), ("SCHEMA_FIELD", 1))
equal([path.column_name for path in found.paths], ["weight", "weight"])

# The schema, and what it does not have.
types = reader.execute_graphql("{__schema {queryType {fields {name}}}}")["__schema"]["queryType"]["fields"]
assert {"name": "searchAcrossEntities"} in types
try:
    reader.execute_graphql("{semanticSearchAcrossEntities(input: {query: \"a\"}) {total}}")
    raise SystemExit("a field that is not served was answered")
except Exception as error:
    assert "searchAcrossEntities does" in str(error), error
