"""The connector `sql-queries` reads the schemas of 20 tables from the catalog: 50 queries give the column edges that they give with schemas at hand."""
import io
import json
import logging
import os
import tempfile

from common import SERVER, graph, proposal
from datahub.emitter.mce_builder import make_dataset_urn
from datahub.ingestion.run.pipeline import Pipeline
from datahub.metadata.schema_classes import (
    NumberTypeClass,
    OtherSchemaClass,
    SchemaFieldClass,
    SchemaFieldDataTypeClass,
    SchemaMetadataClass,
)
from datahub.sql_parsing.schema_resolver import SchemaResolver
from datahub.sql_parsing.sqlglot_lineage import sqlglot_lineage

TABLES = 20
QUERIES = 50
COLUMNS = [f"c{at}" for at in range(5)]


def urn_of(table):
    return make_dataset_urn("mysql", f"queries.t{table}", "PROD")


def schema_of(table):
    fields = [
        SchemaFieldClass(fieldPath=f"{name}_{table}", type=SchemaFieldDataTypeClass(type=NumberTypeClass()), nativeDataType="int")
        for name in COLUMNS
    ]
    return SchemaMetadataClass(
        schemaName=f"t{table}", platform="urn:li:dataPlatform:mysql", version=0, hash="", platformSchema=OtherSchemaClass(rawSchema=""), fields=fields
    )


# Without the schemas nobody knows which columns `*` has, nor whose the unqualified ones are.
queries = [
    f"create table made{at} as select a.*, c1_{(at + 7) % TABLES} as renamed from t{at % TABLES} a join t{(at + 7) % TABLES} b on c0_{at % TABLES} = c0_{(at + 7) % TABLES}"
    for at in range(QUERIES)
]
sender = graph()
sender.emit_mcps([proposal(urn_of(table), schema_of(table)) for table in range(TABLES)])

resolver = SchemaResolver(platform="mysql", env="PROD")
for table in range(TABLES):
    resolver.add_schema_metadata(urn_of(table), schema_of(table))
reference = set()
for query in queries:
    for edge in sqlglot_lineage(query, schema_resolver=resolver, default_db="queries").column_lineage or []:
        reference |= {(edge.downstream.table, edge.downstream.column, up.table, up.column) for up in edge.upstreams}
assert len(reference) == QUERIES * (len(COLUMNS) + 1), len(reference)

said = io.StringIO()
logging.getLogger("datahub").addHandler(logging.StreamHandler(said))
with tempfile.TemporaryDirectory() as folder:
    [asked, written] = [os.path.join(folder, name) for name in ("queries.json", "written.json")]
    with open(asked, "w") as file:
        for query in queries:
            file.write(json.dumps({"query": query, "timestamp": 1_700_000_000}) + "\n")
    pipeline = Pipeline.create({
        "source": {"type": "sql-queries", "config": {"query_file": asked, "platform": "mysql", "default_db": "queries", "usage": {"start_time": "2023-11-01T00:00:00Z"}}},
        "datahub_api": {"server": SERVER},
        "sink": {"type": "file", "config": {"filename": written}},
    })
    pipeline.run()
    pipeline.raise_from_status()
    with open(written) as file:
        changes = json.load(file)

found = set()
for change in changes:
    aspect = change.get("aspect", {}).get("json", {})
    for edge in aspect.get("fineGrainedLineages", []) if change.get("aspectName") == "upstreamLineage" else []:
        for down in edge["downstreams"]:
            found |= {(down, up) for up in edge["upstreams"]}
assert "Batch schema fetch failed" not in said.getvalue() + str(pipeline.source.get_report().as_string()), said.getvalue()[:2000]
assert len(found) == len(reference), (len(found), len(reference))
print(f"{len(found)} column edges, as with the schemas at hand")
