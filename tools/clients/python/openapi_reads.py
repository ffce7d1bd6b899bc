"""What the client reads by OpenAPI: pages of entities with their aspects, and platform resources."""
from common import SERVER, emitter, equal, eventually, graph, proposal
from datahub.api.entities.platformresource.platform_resource import PlatformResource, PlatformResourceKey
from datahub.metadata.schema_classes import StatusClass, TagPropertiesClass

sender = emitter()
reader = graph()

# Entities, page by page.
tags = [f"urn:li:tag:scrolled-{number}" for number in range(5)]
for urn in tags:
    sender.emit(proposal(urn, TagPropertiesClass(name=urn)))
    sender.emit(proposal(urn, StatusClass(removed=False)))
scrolled = [{"and": [{"field": "urn", "values": tags, "condition": "EQUAL"}]}]


def scroll(**options):
    found, scroll_id = {}, None
    while True:
        page = reader.scroll_entities(
            entity_names=["tag"], filter=scrolled, count=2, scroll_id=scroll_id, **options
        )
        equal(page.total_count, len(tags))
        assert not found.keys() & page.entities.keys(), page.entities
        found |= page.entities
        scroll_id = page.scroll_id
        if scroll_id is None:
            return found


eventually(lambda: reader.scroll_entities(entity_names=["tag"], filter=scrolled).total_count, len(tags))
equal(scroll(), {urn: {} for urn in tags})
properties = scroll(aspects=["tagProperties"], with_system_metadata=True)
equal([value["tagProperties"][0].name for _, value in sorted(properties.items())], tags)
assert all(value["tagProperties"][1].version == "1" for value in properties.values()), properties
equal(scroll(aspects=[])[tags[0]].keys(), {"tagKey", "tagProperties", "status"})
slices = [reader.scroll_entities(filter=scrolled, slice_id=each, slice_max=2).entities.keys() for each in range(2)]
equal((slices[0] | slices[1], slices[0] & slices[1]), (set(tags), set()))
descending = reader.scroll_entities(filter=scrolled, sort_criteria=[{"field": "urn", "order": "DESCENDING"}])
equal(list(descending.entities), tags[::-1])

# Platform resources, which connectors find by their keys.
key = PlatformResourceKey(platform="snowflake", resource_type="user role", primary_key="a/b \"c\"")
PlatformResource.create(key=key, value={"a": 1}, secondary_keys=["other key"]).to_datahub(reader)
found = lambda text, primary: [each.id for each in PlatformResource.search_by_key(reader, text, primary=primary)]
eventually(lambda: found("a/b \"c\"", True), [key.id])
equal(found("other key", True), [])
equal(found("other key", False), [key.id])

# One entity.
one = reader._session.get(f"{SERVER}/openapi/v3/entity/tag/{tags[0]}", params={"aspects": ["status"]})
equal(one.json(), {"urn": tags[0], "status": {"value": {"removed": False}}})
heads = [reader._session.head(f"{SERVER}/openapi/v3/entity/tag/{urn}").status_code for urn in (tags[0], "urn:li:tag:none")]
equal(heads, [200, 404])

# What the model has.
specs = reader.get_entity_aspect_specs()
equal((specs.supports("dataset", "schemaMetadata"), specs.supports("tag", "schemaMetadata")), (True, False))
assert {"dataset", "tag", "platformResource"} <= specs.entity_aspects.keys(), specs.entity_aspects.keys()
