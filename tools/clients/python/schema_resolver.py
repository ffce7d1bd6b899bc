"""How SQL-parsing connectors get the schemas of tables from the catalog, and how tools read the history of an aspect."""
from common import NOTHING, SERVER, emitter, equal, graph, proposal
from datahub.metadata.schema_classes import (
    DatasetProfileClass,
    OtherSchemaClass,
    SchemaFieldClass,
    SchemaFieldDataTypeClass,
    SchemaMetadataClass,
    StatusClass,
    StringTypeClass,
)
from datahub.sql_parsing.schema_resolver import SchemaResolver
from datahub.sql_parsing.sqlglot_lineage import sqlglot_lineage

TABLE = "urn:li:dataset:(urn:li:dataPlatform:postgres,bakery.public.loaves,PROD)"
COLUMNS = ["loaf", "flour", "baked_at"]


def schema(columns) -> SchemaMetadataClass:
    text = SchemaFieldDataTypeClass(StringTypeClass())
    fields = [SchemaFieldClass(fieldPath=name, type=text, nativeDataType="text") for name in columns]
    return SchemaMetadataClass("loaves", "urn:li:dataPlatform:postgres", 0, "", OtherSchemaClass(""), fields)


sender = emitter()
reader = graph()
sender.emit_mcp(proposal(TABLE, schema(COLUMNS[:2])))
sender.emit_mcp(proposal(TABLE, schema(COLUMNS)))
sender.emit_mcp(proposal(TABLE, DatasetProfileClass(timestampMillis=1700006400000, rowCount=3)))

resolver = SchemaResolver(platform="postgres", graph=reader)
urn, columns = resolver.resolve_table_parts(database="BAKERY", db_schema="Public", table="loaves")
equal((urn, list(columns or {})), (TABLE, COLUMNS))
urn, columns = resolver.resolve_table_parts(database="bakery", db_schema="public", table="crumbs")
equal(columns, None)

parsed = sqlglot_lineage(
    "create view bakery.public.fresh as select * from bakery.public.loaves",
    schema_resolver=SchemaResolver(platform="postgres", graph=reader),
    default_db="bakery",
)
equal([each.upstreams[0].column for each in parsed.column_lineage or []], COLUMNS)
equal({each.upstreams[0].table for each in parsed.column_lineage or []}, {TABLE})

found = reader.get_entities("dataset", [TABLE, NOTHING], ["schemaMetadata", "status"], with_system_metadata=True)
assert "schemaMetadata" not in found.get(NOTHING, {}), found
value, metadata = found[TABLE]["schemaMetadata"]
equal(([field.fieldPath for field in value.fields], metadata.version), (COLUMNS, "2"))
everything = reader.get_entities("dataset", [TABLE])[TABLE]
assert {"datasetKey", "schemaMetadata", "datasetProfile"} <= everything.keys(), everything.keys()
equal(everything["datasetProfile"][0].rowCount, 3)
sender.emit_mcp(proposal(TABLE, StatusClass(removed=False)))

before = reader._session.post(
    f"{SERVER}/openapi/v3/entity/dataset/batchGet?systemMetadata=true",
    json=[{"urn": TABLE, "schemaMetadata": {"headers": {"If-Version-Match": "1"}}}],
).json()
equal([field["fieldPath"] for field in before[0]["schemaMetadata"]["value"]["fields"]], COLUMNS[:2])
