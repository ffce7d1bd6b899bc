"""What DataHubGraph reads of what the emitter wrote."""
from common import BAKER, DAILY, NOTHING, ORDERS, ORDERS_BY_DAY, SERVER, equal, eventually, graph
from datahub.metadata.schema_classes import (
    ChartInfoClass,
    DatasetKeyClass,
    DatasetPropertiesClass,
    GlobalTagsClass,
    OwnershipClass,
)

reader = graph()
equal(reader.get_config()["noCode"], "true")

equal(reader.get_dataset_properties(ORDERS).name, "orders")
equal([owner.owner for owner in reader.get_ownership(ORDERS).owners], [BAKER])
equal([tag.tag for tag in reader.get_tags(ORDERS).tags], [DAILY])
equal(reader.get_tags(NOTHING), None)
equal(reader.get_glossary_terms(ORDERS), None)
equal(reader.get_schema_metadata(ORDERS), None)
equal(reader.get_aspect(ORDERS, DatasetKeyClass).name, "bakery.orders")
equal(reader.get_aspect(ORDERS, DatasetPropertiesClass, version=1).name, "orders")
equal(reader.get_browse_path(ORDERS).paths, ["/prod/mysql/bakery"])

equal(reader.exists(ORDERS), True)
equal(reader.exists(NOTHING), False)

raw = reader.get_entity_raw(ORDERS, ["ownership", "globalTags"])
equal(raw["urn"], ORDERS)
assert {"ownership", "globalTags"} <= raw["aspects"].keys(), raw
whole = reader.get_entity_semityped(ORDERS)
equal(whole["datasetProperties"], reader.get_dataset_properties(ORDERS))
assert {"datasetKey", "dataPlatformInstance", "browsePathsV2"} <= whole.keys(), whole.keys()
some = reader.get_aspects_for_entity(ORDERS, ["ownership", "chartInfo"], [OwnershipClass, ChartInfoClass])
equal(some, {"ownership": reader.get_ownership(ORDERS), "chartInfo": None})
if hasattr(reader, "get_entity_as_mcps"):
    by_name = {mcp.aspect.get_aspect_name(): mcp.aspect for mcp in reader.get_entity_as_mcps(ORDERS)}
    equal(by_name["globalTags"], GlobalTagsClass.from_obj(whole["globalTags"].to_obj()))

eventually(lambda: reader.get_search_results(0, 10, "dataset")["value"]["numEntities"] > 1, True)
found = reader.get_search_results(0, 100, "dataset")["value"]["entities"]
assert ORDERS in [each["entity"] for each in found], found

try:
    # The older release's command `migrate` asks so.
    from datahub.cli import cli_utils
    incoming = cli_utils.get_incoming_relationships
except (ImportError, AttributeError):
    incoming = None
if incoming is not None:
    ends = lambda found: [(each["type"], each["entity"]) for each in found]
    eventually(lambda: ends(incoming(ORDERS, ["DownstreamOf"])), [("DownstreamOf", ORDERS_BY_DAY)])
    outgoing = lambda: ends(cli_utils.get_outgoing_relationships(ORDERS, ["OwnedBy", "TaggedWith"]))
    eventually(outgoing, [("OwnedBy", BAKER), ("TaggedWith", DAILY)])
    both = cli_utils.batch_get_ids([ORDERS, ORDERS_BY_DAY])
    equal(sorted(each["urn"] for each in both), [ORDERS, ORDERS_BY_DAY])
