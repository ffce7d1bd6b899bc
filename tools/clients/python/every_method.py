"""Calls every public method of DataHubGraph and DataHubClient, and prints as JSON what each did.

The same program runs on two catalogs, to which the SDK writes by OpenAPI and by Rest.li; what it prints must be the same. What belongs to a run,
such as a time, is left out of it.
"""
import dataclasses
import datetime
import inspect
import json
import os
import re
import sys

from datahub.emitter.mce_builder import make_dataset_urn, make_tag_urn
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.rest_emitter import EmitMode, TraceData
from datahub.ingestion.graph.client import DatahubClientConfig, DataHubGraph
from datahub.ingestion.graph.openapi import LineageDirection, RelationshipDirection
from datahub.metadata.schema_classes import *  # noqa: F403: the classes of aspects
from datahub.sdk import DataHubClient, Dataset
from datahub.sdk.main_client import ClientMode
from datahub.specific.dataset import DatasetPatchBuilder

from common import eventually

SERVER = sys.argv[1]
CONFIG = DatahubClientConfig(
    server=SERVER, token=os.environ.get("DATAHUB_GMS_TOKEN"), client_mode=ClientMode.SDK, retry_max_times=1
)
client = DataHubClient(config=CONFIG)
# The SDK chooses once it knows the server; `from_env` asks by itself.
client.test_connection()
graph = client._graph

# Only for DataHub Cloud, by the words of the client, or no calls of a server.
CLOUD = {"get_results_by_filter", "run_assertion", "run_assertions", "run_assertions_for_asset", "subscriptions", "assertions"}
CONSTANTS = {"LINK_VERSION_MUTATION", "UNLINK_VERSION_MUTATION", "LineageDirection", "RelationshipDirection"}
# Names of this run: its calls, not its results.
HIDDEN = {"lastObserved", "runId", "lastRunId", "systemMetadata", "created", "lastModified", "actor", "time", "timestamp",
          "commit", "baseUrl", "offset", "properties_of_run", "auditStamp", "scrollId", "scroll_id", "trace_id", "lag",
          "searchScore", "score", "versions", "telemetryTraceId"}


def dataset(name):
    return make_dataset_urn("mysql", f"modes.{name}", "PROD")


def wrapper(urn, aspect, **more):
    return MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect, **more)


def simplify(value):
    """What a call gave, without the marks of one run."""
    if isinstance(value, TraceData):
        return {"traced": {urn: sorted(set(aspects)) for urn, aspects in value.data.items()}}
    if hasattr(value, "to_obj"):
        return simplify(value.to_obj())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return simplify({each.name: getattr(value, each.name) for each in dataclasses.fields(value)})
    if hasattr(value, "model_dump"):
        return simplify(value.model_dump())
    if isinstance(value, dict):
        return {str(name): simplify(inner) for name, inner in sorted(value.items(), key=lambda each: str(each[0])) if name not in HIDDEN}
    if isinstance(value, (list, tuple)):
        return [simplify(each) for each in value]
    if isinstance(value, (str, int, float, bool)) or value is None:
        return re.sub(r"127\.0\.0\.1:\d+", "HOST", value) if isinstance(value, str) else value
    if isinstance(value, (set, frozenset)) or inspect.isgenerator(value) or hasattr(value, "__next__"):
        return sorted((simplify(each) for each in value), key=str)
    return str(value) if type(value).__module__.startswith("datahub") and hasattr(value, "urn") else type(value).__name__


printed = {}
called = set()


def call(name, work, *, label=""):
    """Notes what a method did; an error is a result too."""
    called.add(name)
    key = f"{name}{' ' + label if label else ''}"
    assert key not in printed, key
    try:
        printed[key] = {"gave": simplify(work())}
    except BaseException as error:
        # The place in the documentation is that of the call by which it was written.
        said = re.sub(r"127\.0\.0\.1:\d+", "HOST", str(error)).split("', {'exceptionClass'")[0]
        printed[key] = {"error": type(error).__name__, "served": "serves no" not in said, "said": said[:400]}


def status_of(trace):
    return {
        urn: {name: (state["success"], state["primaryStorage"]["writeStatus"]) for name, state in aspects.items()}
        for urn, aspects in trace.items()
    }


def pages(read):
    at = None
    while True:
        page = read(at)
        yield from page.entities
        at = page.scroll_id
        if at is None:
            return


ORDERS, COPY, PATCHED = dataset("orders"), dataset("copy"), dataset("patched")
CREATED, ABSENT = dataset("created"), dataset("absent")
TAG, TERM, OWNER = make_tag_urn("modes"), "urn:li:glossaryTerm:modes", "urn:li:corpuser:modes"
STAMP = AuditStampClass(time=1, actor=OWNER)
FIELDS = [
    SchemaFieldClass(fieldPath=name, type=SchemaFieldDataTypeClass(type=NumberTypeClass()), nativeDataType="int")
    for name in ("id", "amount")
]
SCHEMA = SchemaMetadataClass(
    schemaName="orders", platform="urn:li:dataPlatform:mysql", version=0, hash="", platformSchema=OtherSchemaClass(rawSchema=""), fields=FIELDS
)

# Writes.
call("emit", lambda: graph.emit(wrapper(ORDERS, DatasetPropertiesClass(name="orders", customProperties={"a": "b"}))))
call("emit", lambda: graph.emit(wrapper(ORDERS, SCHEMA), emit_mode=EmitMode.SYNC_PRIMARY), label="in SYNC_PRIMARY")
for mode in (EmitMode.SYNC_WAIT, EmitMode.ASYNC, EmitMode.ASYNC_WAIT):
    urn = dataset(mode.name.lower())
    call("emit_mcp", lambda: graph.emit_mcp(wrapper(urn, StatusClass(removed=False)), emit_mode=mode) and None, label=f"in {mode.name}")
call("emit_mce", lambda: graph.emit_mce(MetadataChangeEventClass(
    proposedSnapshot=DatasetSnapshotClass(urn=COPY, aspects=[DatasetPropertiesClass(description="copied")]))))
call("emit_mcps", lambda: len(graph.emit_mcps([wrapper(make_tag_urn(f"modes{at}"), TagPropertiesClass(name=str(at))) for at in range(250)],
                                               emit_mode=EmitMode.SYNC_PRIMARY)) * 0)
call("emit_all", lambda: graph.emit_all([wrapper(TAG, TagPropertiesClass(name="modes")), wrapper(TERM, GlossaryTermInfoClass(definition="d", termSource="INTERNAL", name="modes"))]))
call("emit_usage", lambda: graph.emit_usage(UsageAggregationClass(
    bucket=1_700_000_000_000, duration="DAY", resource=ORDERS, metrics=UsageAggregationMetricsClass(totalSqlQueries=3))))


def by_sink():
    with graph.make_rest_sink() as sink:
        from datahub.ingestion.api.common import RecordEnvelope
        from datahub.ingestion.api.sink import NoopWriteCallback
        sink.write_record_async(RecordEnvelope(wrapper(COPY, GlobalTagsClass(tags=[TagAssociationClass(tag=TAG)])), {}), NoopWriteCallback())


call("make_rest_sink", by_sink)
for patch in DatasetPatchBuilder(PATCHED).add_tag(TagAssociationClass(tag=TAG)).set_description("patched").add_custom_property("x", "y").build():
    call("emit", lambda: graph.emit(patch), label=f"of a patch of {patch.aspectName}")
call("emit", lambda: graph.emit(wrapper(PATCHED, DatasetPropertiesClass(description="late"), headers={"If-Version-Match": "9"})), label="with a condition that fails")
call("emit", lambda: graph.emit(wrapper(PATCHED, StatusClass(removed=False), headers={"If-Version-Match": "-1"})), label="with a condition that holds")
call("emit", lambda: graph.emit(MetadataChangeProposalClass(entityType="dataset", entityUrn=PATCHED, changeType="UPSERT", aspectName="nothing",
     aspect=GenericAspectClass(value=b"{}", contentType="application/json"))), label="of an unknown aspect")
call("emit", lambda: graph.emit(MetadataChangeProposalClass(entityType="dataset", entityUrn="no urn", changeType="UPSERT", aspectName="status",
     aspect=GenericAspectClass(value=b'{"removed":false}', contentType="application/json"))), label="of no urn")
# By OpenAPI the client drops the change type.
graph.emit(wrapper(CREATED, DatasetPropertiesClass(description="first")))
for kind in ("CREATE", "CREATE_ENTITY"):
    call("emit", lambda: graph.emit(wrapper(CREATED, DatasetPropertiesClass(description=kind), changeType=kind)), label=f"of {kind} of what exists")
call("emit", lambda: graph.emit(wrapper(ABSENT, DatasetPropertiesClass(description="x"), changeType="UPDATE")), label="of UPDATE of what does not exist")
call("emit", lambda: graph.emit(wrapper(dataset("doomed"), DatasetPropertiesClass(description="x"))), label="of what is deleted then")
call("emit", lambda: graph.emit(MetadataChangeProposalClass(entityType="dataset", entityUrn=dataset("doomed"), changeType="DELETE", aspectName="datasetKey")), label="of DELETE of an entity")
call("flush", graph.flush)

# DataHubClient.
made = Dataset(platform="mysql", name="modes.made", description="made", schema=[("id", "int")], tags=[TAG], owners=[OWNER])
call("entities.create", lambda: client.entities.create(made))
call("entities.create", lambda: client.entities.create(made), label="of what exists")
call("entities.upsert", lambda: client.entities.upsert(Dataset(platform="mysql", name="modes.made", display_name="Made")))
call("entities.get", lambda: [str(client.entities.get(made.urn).urn), client.entities.get(made.urn).description])


def updated():
    entity = client.entities.get(made.urn)
    entity.set_description("updated")
    client.entities.update(entity)
    client.entities.update(DatasetPatchBuilder(str(made.urn)).add_term(GlossaryTermAssociationClass(TERM)))


call("entities.update", updated)
for at, hard in enumerate((False, True)):
    thrown = Dataset(platform="mysql", name=f"modes.thrown{at}", description="x")
    client.entities.upsert(thrown)
    call("entities.delete", lambda: client.entities.delete(thrown.urn, hard=hard), label="hard" if hard else "soft")
call("lineage.add_lineage", lambda: client.lineage.add_lineage(upstream=ORDERS, downstream=COPY, column_lineage={"id": ["id"]}))
call("lineage.add_dataset_copy_lineage", lambda: client.lineage.add_dataset_copy_lineage(upstream=ORDERS, downstream=dataset("made")))
call("lineage.add_dataset_transform_lineage", lambda: client.lineage.add_dataset_transform_lineage(
    upstream=ORDERS, downstream=PATCHED, column_lineage={"id": ["id"]}, transformation_text="select id from orders"))
JOB = "urn:li:dataJob:(urn:li:dataFlow:(airflow,modes,PROD),one)"
graph.emit(wrapper(JOB, DataJobInfoClass(name="one", type="COMMAND")))
call("lineage.add_datajob_lineage", lambda: client.lineage.add_datajob_lineage(datajob=JOB, upstreams=[ORDERS], downstreams=[COPY]))
graph.emit(wrapper(dataset("inferred"), DatasetPropertiesClass(name="inferred")))
call("lineage.infer_lineage_from_sql", lambda: client.lineage.infer_lineage_from_sql(
    query_text="create table inferred as select id, amount from orders", platform="mysql", default_db="modes"))
graph.emit(wrapper("urn:li:domain:modes", DomainPropertiesClass(name="Modes")))
graph.emit(wrapper(OWNER, CorpUserInfoClass(active=True, email="modes@example.org", displayName="Modes")))
graph.emit(wrapper("urn:li:dataProduct:modes", DataProductPropertiesClass(name="Modes")))
graph.emit(wrapper("urn:li:container:modes", ContainerPropertiesClass(name="modes", customProperties={"instance": "PROD"})))
graph.emit(wrapper("urn:li:container:modes", SubTypesClass(typeNames=["Database"])))
graph.emit(wrapper(ORDERS, DomainsClass(domains=["urn:li:domain:modes"])))
graph.emit(wrapper(ORDERS, BrowsePathsClass(paths=["/modes"])))
graph.emit(wrapper(ORDERS, OwnershipClass(owners=[OwnerClass(owner=OWNER, type="DATAOWNER")], lastModified=STAMP)))
graph.emit(wrapper(ORDERS, DatasetProfileClass(timestampMillis=1_700_000_000_000, rowCount=3)))

# What the indices know is read once all of it is there.
eventually(lambda: len(list(graph.get_urns_by_filter(entity_types=["tag"]))), 251)
eventually(lambda: {COPY, PATCHED, dataset("made"), JOB} <= {
    each.urn for each in client.lineage.get_lineage(source_urn=ORDERS, direction="downstream", max_hops=1)}, True)
eventually(lambda: graph.get_domain_urn_by_name("Modes"), "urn:li:domain:modes")
eventually(lambda: list(graph.get_container_urns_by_filter(env="PROD")), ["urn:li:container:modes"])
eventually(lambda: graph.get_data_product_urn_by_name("Modes"), "urn:li:dataProduct:modes")
eventually(lambda: str(client.resolve.user(email="modes@example.org")), OWNER)

# Reads.
call("exists", lambda: [graph.exists(urn) for urn in (ORDERS, dataset("doomed"), dataset("never"))])
call("get_config", lambda: sorted(graph.get_config()))
call("get_server_config", lambda: sorted(graph.get_server_config()))
call("fetch_server_config", lambda: graph.fetch_server_config().is_no_code_enabled)
call("server_config", lambda: graph.server_config.is_no_code_enabled)
call("test_connection", graph.test_connection)
call("invalidate_config_cache", graph.invalidate_config_cache)
call("client.test_connection", client.test_connection)
call("client.from_env", lambda: type(DataHubClient.from_env()).__name__)
call("from_emitter", lambda: DataHubGraph.from_emitter(graph).exists(ORDERS))
call("to_graph", lambda: graph.to_graph() is not None)
call("session", lambda: graph.session is not None)
call("frontend_base_url", lambda: graph.frontend_base_url)
call("url_for", lambda: graph.url_for(ORDERS))
call("get_aspect", lambda: [graph.get_aspect(ORDERS, DatasetPropertiesClass), graph.get_aspect(ORDERS, GlossaryTermsClass), graph.get_aspect(ORDERS, DatasetPropertiesClass, version=1)])
call("get_aspect_v2", lambda: graph.get_aspect_v2(ORDERS, DatasetPropertiesClass, "datasetProperties"))
call("get_aspects_for_entity", lambda: graph.get_aspects_for_entity(ORDERS, ["ownership", "status"], [OwnershipClass, StatusClass]))
call("get_aspect_counts", lambda: graph.get_aspect_counts("tagProperties", "urn:li:tag:modes%"))
call("get_browse_path", lambda: graph.get_browse_path(ORDERS))
call("get_dataset_properties", lambda: graph.get_dataset_properties(COPY))
call("get_dataset_urns_ignoring_case", lambda: graph.get_dataset_urns_ignoring_case(ORDERS.lower()))
call("get_domain", lambda: graph.get_domain(ORDERS))
call("get_domain_properties", lambda: graph.get_domain_properties("urn:li:domain:modes"))
call("get_domain_urn_by_name", lambda: graph.get_domain_urn_by_name("Modes"))
call("get_container_urns_by_filter", lambda: graph.get_container_urns_by_filter(env="PROD"))
call("get_data_product_urn_by_name", lambda: graph.get_data_product_urn_by_name("Modes"))
call("get_entities", lambda: graph.get_entities("dataset", [ORDERS, COPY], ["datasetProperties"], with_system_metadata=True))
call("get_entities_v2", lambda: graph.get_entities_v2("dataset", [ORDERS], ["datasetProperties"]))
call("get_entity_as_mcps", lambda: [each.aspectName for each in graph.get_entity_as_mcps(ORDERS)])
call("get_entity_aspect_specs", lambda: graph.get_entity_aspect_specs() is not None)
call("get_entity_raw", lambda: sorted(graph.get_entity_raw(ORDERS)["aspects"]))
call("get_entity_semityped", lambda: graph.get_entity_semityped(PATCHED))
call("get_glossary_terms", lambda: graph.get_glossary_terms(str(made.urn)))
call("get_kafka_consumer_offsets", lambda: sorted(graph.get_kafka_consumer_offsets()))
call("get_latest_pipeline_checkpoint", lambda: graph.get_latest_pipeline_checkpoint("modes", "mysql"))
call("get_latest_timeseries_value", lambda: graph.get_latest_timeseries_value(ORDERS, DatasetProfileClass, {}))
call("get_timeseries_values", lambda: graph.get_timeseries_values(ORDERS, DatasetProfileClass, {}))
call("get_usage_aspects_from_urn", lambda: graph.get_usage_aspects_from_urn(ORDERS, 1_699_000_000_000, 1_701_000_000_000))
call("get_ownership", lambda: graph.get_ownership(ORDERS))
call("get_schema_metadata", lambda: graph.get_schema_metadata(ORDERS))
call("get_tags", lambda: graph.get_tags(COPY))
call("get_related_entities", lambda: sorted(each.urn for each in graph.get_related_entities(TAG, ["TaggedWith"], RelationshipDirection.INCOMING)))
call("get_search_results", lambda: sorted(each["entity"] for each in graph.get_search_results(0, 10, "domain")["value"]["entities"]))
call("get_urns_by_filter", lambda: graph.get_urns_by_filter(platform="mysql"))
call("list_all_entity_urns", lambda: sorted(graph.list_all_entity_urns("dataset", 0, 100)))
call("scroll_entities", lambda: sorted(pages(lambda at: graph.scroll_entities(entity_names=["tag"], count=100, scroll_id=at))))
call("scroll_lineage", lambda: sorted(str(each) for each in graph.scroll_lineage(urns=[ORDERS], direction=LineageDirection.DOWNSTREAM, count=100).relationships))
call("scroll_relationships", lambda: len(graph.scroll_relationships(relationship_types=["TaggedWith"], count=100).relationships))
call("execute_graphql", lambda: graph.execute_graphql("query { searchAcrossEntities(input: {query: \"*\", types: [DOMAIN]}) { total } }"))
call("parse_sql_lineage", lambda: sorted(
    f"{each.downstream.column} < {[up.column for up in each.upstreams]}"
    for each in graph.parse_sql_lineage("create table modes.parsed as select * from modes.orders", platform="mysql", default_db="modes").column_lineage or []))
call("search.get_urns", lambda: sorted(str(each) for each in client.search.get_urns(query="modes")))
call("lineage.get_lineage", lambda: sorted(each.urn for each in client.lineage.get_lineage(source_urn=ORDERS, source_column="id", direction="downstream")))
call("resolve.user", lambda: client.resolve.user(email="modes@example.org"))
call("resolve.domain", lambda: client.resolve.domain(name="Modes"))
call("resolve.term", lambda: client.resolve.term(name="modes"))


# `get_trace_status` needs a trace, which the SDK has by OpenAPI alone.
def traced():
    trace = graph.emit_mcp(wrapper(TAG, StatusClass(removed=False)), emit_mode=EmitMode.ASYNC)
    return None if trace is None else status_of(graph.get_trace_status(trace))


call("get_trace_status", traced)

# Mutations of GraphQL, and of versions and connections.
call("create_tag", lambda: graph.create_tag("modes made"))
call("remove_tag", lambda: graph.remove_tag(TAG, COPY))
call("create_native_user", lambda: graph.create_native_user("modes", "modes@example.org", "Modes", "secret", role="Reader"))
call("set_connection_json", lambda: graph.set_connection_json("urn:li:dataHubConnection:modes", platform_urn="urn:li:dataPlatform:mysql", config={"a": 1}))
call("get_connection_json", lambda: graph.get_connection_json("urn:li:dataHubConnection:modes"))
call("upsert_custom_assertion", lambda: graph.upsert_custom_assertion("urn:li:assertion:modes", ORDERS, "modes", "an assertion", platform_name="modes"))
call("report_assertion_result", lambda: graph.report_assertion_result("urn:li:assertion:modes", 1_700_000_000_000, "SUCCESS"))
call("link_asset_to_version_set", lambda: graph.link_asset_to_version_set("urn:li:mlModel:(urn:li:dataPlatform:mlflow,modes,PROD)", None, "1"))
call("link_asset_to_versioned_asset", lambda: graph.link_asset_to_versioned_asset(
    "urn:li:mlModel:(urn:li:dataPlatform:mlflow,modes2,PROD)", "urn:li:mlModel:(urn:li:dataPlatform:mlflow,modes,PROD)", "2"))
call("unlink_asset_from_version_set", lambda: graph.unlink_asset_from_version_set("urn:li:mlModel:(urn:li:dataPlatform:mlflow,modes,PROD)"))
call("unlink_latest_asset_from_version_set", lambda: graph.unlink_latest_asset_from_version_set("urn:li:versionSet:(modes,mlModel)"))

# Deletions.
call("soft_delete_entity", lambda: graph.soft_delete_entity(dataset("sync_wait")))
call("set_soft_delete_status", lambda: graph.set_soft_delete_status(dataset("async"), delete=True))
call("delete_entity", lambda: graph.delete_entity(dataset("async_wait")))
call("hard_delete_timeseries_aspect", lambda: graph.hard_delete_timeseries_aspect(ORDERS, "datasetProfile", None, datetime.datetime.now()))
call("delete_references_to_urn", lambda: graph.delete_references_to_urn(TAG))
call("hard_delete_entity", lambda: graph.hard_delete_entity(make_tag_urn("modes0"))[0] > 0)
call("restore_indices", lambda: graph.restore_indices(urn_pattern=ORDERS))
call("close", graph.close)

stored = {}
reader = DataHubGraph(CONFIG)
urns = set(reader.list_all_entity_urns("dataset", 0, 100)) - {CREATED, ABSENT}
for urn in sorted([*urns, TAG, TERM, JOB, "urn:li:container:modes"]):
    stored[urn] = simplify(reader.get_entity_raw(urn)["aspects"])


def public(owner, prefix=""):
    return {f"{prefix}{name}" for name in dir(owner) if not name.startswith("_")}


every = public(DataHubGraph) | public(DataHubClient, "client.") - {f"client.{name}" for name in ("entities", "lineage", "resolve", "search")}
for part in ("entities", "lineage", "resolve", "search"):
    every |= public(type(getattr(client, part)), f"{part}.")
missing = every - called - CLOUD - CONSTANTS - {f"client.{name}" for name in CLOUD}
assert not missing, f"methods that this program does not call: {sorted(missing)}"
unserved = sorted(name for name, did in printed.items() if "error" in did)
print(json.dumps({"writes": "openapi" if graph._openapi_ingestion else "restli", "failed": unserved, "calls": printed, "stored": stored}))
