"""Every builder of patches that the client has, compared with a naive model of what it should leave.

Additions twice, removals twice, removals of what was never written, and setters. At the end no method may be left that this program
does not call.
"""
import importlib
import inspect
import pkgutil
import warnings

import datahub.specific
from common import emitter, equal, graph
from datahub.configuration.common import OperationalError
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.mcp_patch_builder import MetadataPatchProposal
from datahub.metadata.schema_classes import (
    AuditStampClass,
    ChangeAuditStampsClass,
    DataProductAssociationClass,
    DocumentationAssociationClass,
    DomainAssociationClass,
    EdgeClass,
    FineGrainedLineageClass,
    FormPromptClass,
    GlossaryTermAssociationClass,
    InstitutionalMemoryMetadataClass,
    MetadataAttributionClass,
    OwnerClass,
    PropertyValueClass,
    StructuredPropertyDefinitionClass,
    StructuredPropertyValueAssignmentClass,
    TagAssociationClass,
    TimeStampClass,
    UpstreamClass,
)
from datahub.specific.api import ApiPatchBuilder
from datahub.specific.chart import ChartPatchBuilder
from datahub.specific.dashboard import DashboardPatchBuilder
from datahub.specific.datajob import DataJobPatchBuilder
from datahub.specific.dataproduct import DataProductPatchBuilder
from datahub.specific.dataset import DatasetPatchBuilder, FieldPatchHelper
from datahub.specific.form import FormPatchBuilder
from datahub.specific.status import StatusPatchBuilder
from datahub.specific.structured_property import StructuredPropertyPatchBuilder

warnings.simplefilter("ignore", DeprecationWarning)
sender = emitter()
reader = graph()
STAMP = AuditStampClass(time=1700006400000, actor="urn:li:corpuser:baker")
STAMPS = ChangeAuditStampsClass(created=STAMP, lastModified=STAMP)
NIGHT = "urn:li:dataHubAction:night"
DAY = "urn:li:dataHubAction:day"


def dataset(name):
    return f"urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.{name},PROD)"


def column(name):
    return f"urn:li:schemaField:({dataset('of_columns')},{name})"


def chart(name):
    return f"urn:li:chart:(looker,{name})"


def dashboard(name):
    return f"urn:li:dashboard:(looker,{name})"


def job(name):
    return f"urn:li:dataJob:(urn:li:dataFlow:(airflow,bakery,PROD),{name})"


def by(source):
    return MetadataAttributionClass(time=1, actor="urn:li:corpuser:baker", source=source)


BUILDERS = {
    ApiPatchBuilder: lambda name: f"urn:li:api:(urn:li:dataPlatform:openapi,{name},PROD)",
    ChartPatchBuilder: chart,
    DashboardPatchBuilder: dashboard,
    DataJobPatchBuilder: job,
    DataProductPatchBuilder: lambda name: f"urn:li:dataProduct:{name}",
    DatasetPatchBuilder: dataset,
    FormPatchBuilder: lambda name: f"urn:li:form:{name}",
    StatusPatchBuilder: dataset,
    StructuredPropertyPatchBuilder: lambda name: f"urn:li:structuredProperty:bakery.{name}",
}
called = set()
count = 0


def define_properties(names):
    """Values are taken only of properties that have a definition."""
    types = {make("x").split(":")[2] for make in BUILDERS.values()} | {"schemaField"}
    for name in names:
        definition = StructuredPropertyDefinitionClass(
            qualifiedName=f"bakery.{name}",
            valueType="urn:li:dataType:datahub.string",
            entityTypes=[f"urn:li:entityType:datahub.{type}" for type in sorted(types)],
            cardinality="MULTIPLE",
        )
        urn = f"urn:li:structuredProperty:bakery.{name}"
        sender.emit_mcp(MetadataChangeProposalWrapper(entityUrn=urn, aspect=definition))


def new_urn(builder):
    global count
    count += 1
    return BUILDERS[builder](f"patched{count}")


def send(builder, urn, method, *args):
    called.add((builder, method))
    made = builder(urn)
    getattr(made, method)(*args)
    for change in made.build():
        sender.emit_mcp(change)


def stored(urn, aspect):
    return reader.get_entity_raw(urn, [aspect])["aspects"].get(aspect, {"value": None})


def member(urn, aspect, *path):
    value = stored(urn, aspect)["value"]
    for name in path:
        value = (value or {}).get(name)
    return value


def listed(urn, place, key):
    return [key(each) for each in member(urn, *place) or []]


def pair(builder, add, remove, place, elements, key=lambda each: each["destinationUrn"], removal=str, first=()):
    """Adds two elements and removes one; the naive model is a list of keys. `first` makes the aspect valid."""
    one, two = elements
    urn = new_urn(builder)
    # Nothing is there, and nothing comes of it.
    send(builder, urn, remove, removal(one))
    equal(stored(urn, place[0])["value"], None)
    for method, *args in first:
        send(builder, urn, method, *args)
    send(builder, urn, add, one)
    send(builder, urn, add, two)
    both = listed(urn, place, key)
    equal(len(both), 2)
    send(builder, urn, add, one)
    equal(sorted(listed(urn, place, key)), sorted(both))
    send(builder, urn, remove, removal(one))
    left = stored(urn, place[0])
    equal(listed(urn, place, key), both[1:])
    send(builder, urn, remove, removal(one))
    equal(stored(urn, place[0])["value"], left["value"])
    equal(stored(urn, place[0])["systemMetadata"]["version"], left["systemMetadata"]["version"])
    send(builder, urn, remove, removal(two))
    equal(listed(urn, place, key), [])


def lists(builder, method, place, elements, key=lambda each: each["destinationUrn"], first=()):
    """A setter of a whole list: twice, with other elements."""
    urn = new_urn(builder)
    for name, *args in first:
        send(builder, urn, name, *args)
    for given in (elements, elements[:1]):
        send(builder, urn, method, given)
        equal(len(listed(urn, place, key)), len(given))


def sets(builder, method, place, given, expected=None, first=()):
    urn = new_urn(builder)
    for name, *args in first:
        send(builder, urn, name, *args)
    send(builder, urn, method, given)
    equal(member(urn, *place), given if expected is None else expected)


def edges(urn):
    return [EdgeClass(destinationUrn=urn(name), created=STAMP, lastModified=STAMP) for name in ("x", "y")]


def destination(edge):
    return getattr(edge, "destinationUrn", edge)


# What several builders have in common.
define_properties(["x", "y", "z"])
for builder in BUILDERS:
    if hasattr(builder, "add_tag"):
        tags = [TagAssociationClass(f"urn:li:tag:{name}") for name in ("x", "y")]
        pair(builder, "add_tag", "remove_tag", ("globalTags", "tags"), tags, lambda t: t["tag"], lambda t: t.tag)
    if hasattr(builder, "add_term"):
        terms = [GlossaryTermAssociationClass(f"urn:li:glossaryTerm:{name}") for name in ("x", "y")]
        pair(builder, "add_term", "remove_term", ("glossaryTerms", "terms"), terms, lambda t: t["urn"], lambda t: t.urn)
    if hasattr(builder, "add_owner"):
        owners = [OwnerClass(owner=f"urn:li:corpuser:{name}", type="DATAOWNER") for name in ("x", "y")]
        place = ("ownership", "owners")
        pair(builder, "add_owner", "remove_owner", place, owners, lambda o: o["owner"], lambda o: o.owner)
        lists(builder, "set_owners", place, owners, lambda o: o["owner"])
    if hasattr(builder, "add_domain"):
        domains = [DomainAssociationClass(domain=f"urn:li:domain:{name}") for name in ("x", "y")]
        place = ("domains", "domainAssociations")
        pair(builder, "add_domain", "remove_domain", place, domains, lambda d: d["domain"], lambda d: d.domain)
    if hasattr(builder, "add_documentation"):
        docs = [DocumentationAssociationClass(documentation=name, attribution=by(name)) for name in (NIGHT, DAY)]
        pair(
            builder, "add_documentation", "remove_documentation", ("documentation", "documentations"), docs,
            lambda d: d["documentation"], lambda d: d.documentation,
        )
        urn = new_urn(builder)
        send(builder, urn, "remove_documentation")
        equal(stored(urn, "documentation")["value"], None)
        send(builder, urn, "add_documentation", docs[0])
        send(builder, urn, "remove_documentation")
        equal(stored(urn, "documentation")["value"], {"documentations": []})
    if hasattr(builder, "add_institutional_memory"):
        links = [InstitutionalMemoryMetadataClass(f"https://example.org/{name}", name, STAMP) for name in ("x", "y")]
        urn = new_urn(builder)
        for link in [*links, links[0]]:
            send(builder, urn, "add_institutional_memory", link)
        equal(len(member(urn, "institutionalMemory", "elements")), 2)
    if hasattr(builder, "add_sibling"):
        siblings = [dataset("x"), dataset("y")]
        pair(builder, "add_sibling", "remove_sibling", ("siblings", "siblings"), siblings, str)
        lists(builder, "set_siblings", ("siblings", "siblings"), siblings, str)
    if hasattr(builder, "set_structured_property"):
        place = ("structuredProperties", "properties")
        key = lambda p: p["propertyUrn"]
        urn = new_urn(builder)
        send(builder, urn, "remove_structured_property", "bakery.x")
        equal(stored(urn, "structuredProperties")["value"], None)
        manual = StructuredPropertyValueAssignmentClass("urn:li:structuredProperty:bakery.z", ["v"])
        for method, *args in [
            ("set_structured_property", "bakery.x", "v"),
            ("add_structured_property", "bakery.y", ["v", "w"]),
            ("set_structured_property", "bakery.x", "w"),
            ("set_structured_property_manual", manual),
            ("add_structured_property_manual", manual),
        ]:
            send(builder, urn, method, *args)
        names = [f"urn:li:structuredProperty:bakery.{name}" for name in "xyz"]
        equal(listed(urn, place, key), names)
        equal(member(urn, *place)[0]["values"], [{"string": "w"}])
        for _ in range(2):
            send(builder, urn, "remove_structured_property", "bakery.x")
            equal(listed(urn, place, key), names[1:])
    if hasattr(builder, "add_custom_property"):
        aspect = builder._custom_properties_location()[0]
        # A name is required where the aspect has one.
        first = [("set_name", "x")] if builder is DataProductPatchBuilder else []
        urn = new_urn(builder)
        send(builder, urn, "remove_custom_property", "x")
        equal(stored(urn, aspect)["value"], None)
        for name, *args in [*first, ("add_custom_property", "x", "1"), ("add_custom_properties", {"x": "2", "y": "3"})]:
            send(builder, urn, name, *args)
        equal(member(urn, aspect, "customProperties"), {"x": "2", "y": "3"})
        for _ in range(2):
            send(builder, urn, "remove_custom_property", "x")
            equal(member(urn, aspect, "customProperties"), {"y": "3"})
        send(builder, urn, "set_custom_properties", {"z": "4"})
        equal(member(urn, aspect, "customProperties"), {"z": "4"})

# Attribution: the same tag from two sources, one of which goes.
urn = new_urn(DatasetPatchBuilder)
for source in (NIGHT, DAY):
    send(DatasetPatchBuilder, urn, "add_tag", TagAssociationClass("urn:li:tag:x", attribution=by(source)))
send(DatasetPatchBuilder, urn, "remove_tag", "urn:li:tag:x", NIGHT)
equal([t["attribution"]["source"] for t in member(urn, "globalTags", "tags")], [DAY])
send(DatasetPatchBuilder, urn, "remove_tag", "urn:li:tag:x")
equal(member(urn, "globalTags", "tags"), [])

# Datasets.
D = DatasetPatchBuilder
upstreams = [UpstreamClass(dataset=dataset(name), type="TRANSFORMED") for name in ("x", "y")]
place = ("upstreamLineage", "upstreams")
pair(D, "add_upstream_lineage", "remove_upstream_lineage", place, upstreams, lambda u: u["dataset"], lambda u: u.dataset)
lists(D, "set_upstream_lineages", place, upstreams, lambda u: u["dataset"])
sets(D, "set_description", ("datasetProperties", "description"), "x")
sets(D, "set_display_name", ("datasetProperties", "name"), "x")
sets(D, "set_qualified_name", ("datasetProperties", "qualifiedName"), "x")
sets(D, "set_external_url", ("datasetProperties", "externalUrl"), "https://example.org")
sets(D, "set_created", ("datasetProperties", "created", "time"), TimeStampClass(time=5), 5)
sets(D, "set_last_modified", ("datasetProperties", "lastModified", "time"), TimeStampClass(time=5), 5)


def lineage(upstream):
    kinds = {"upstreamType": "FIELD_SET", "downstreamType": "FIELD"}
    return FineGrainedLineageClass(**kinds, upstreams=[column(upstream)], downstreams=[column("to")], confidenceScore=0.5)


for builder, aspect in ((D, "upstreamLineage"), (DataJobPatchBuilder, "dataJobInputOutput")):
    names = ["fine_grained_lineage"] + (["fine_grained_upstream_lineage"] if builder is D else [])
    for name in names:
        urn = new_urn(builder)
        columns = lambda: [each.get("upstreams") for each in member(urn, aspect, "fineGrainedLineages") or []]
        send(builder, urn, f"remove_{name}", lineage("x"))
        equal(stored(urn, aspect)["value"], None)
        for upstream in ("x", "y", "x"):
            send(builder, urn, f"add_{name}", lineage(upstream))
        equal([sorted(each) for each in columns()], [[column("x"), column("y")]])
        for _ in range(2):
            send(builder, urn, f"remove_{name}", lineage("x"))
            equal(columns(), [[column("y")]])
        send(builder, urn, f"remove_{name}", lineage("y"))
        equal(columns(), [])
        send(builder, urn, f"set_{name}s", [lineage("z")])
        equal(columns(), [[column("z")]])

# Columns of datasets, in their edited form.
for kind, aspect_field, make in (
    ("tag", "globalTags", lambda name: TagAssociationClass(f"urn:li:tag:{name}")),
    ("term", "glossaryTerms", lambda name: GlossaryTermAssociationClass(f"urn:li:glossaryTerm:{name}")),
):
    urn = new_urn(D)
    key = kind if kind == "tag" else "urn"

    def column_patch(method, element):
        made = D(urn)
        called.add((FieldPatchHelper, method))
        getattr(made.for_field("id"), method)(element)
        called.update([(FieldPatchHelper, "parent"), (D, "for_field")])
        for change in made.build():
            sender.emit_mcp(change)

    def names_in_column():
        infos = member(urn, "editableSchemaMetadata", "editableSchemaFieldInfo") or []
        return [each[key] for info in infos for each in info[aspect_field][f"{kind}s"]]

    column_patch(f"remove_{kind}", getattr(make("x"), key))
    equal(stored(urn, "editableSchemaMetadata")["value"], None)
    for name in ("x", "y", "x"):
        column_patch(f"add_{kind}", make(name))
    equal(len(names_in_column()), 2)
    for _ in range(2):
        column_patch(f"remove_{kind}", getattr(make("x"), key))
        equal(names_in_column(), [getattr(make("y"), key)])

# Charts and dashboards.
C = ChartPatchBuilder
place = ("chartInfo", "inputEdges")
pair(C, "add_input_edge", "remove_input_edge", place, edges(dataset), removal=destination)
lists(C, "set_input_edges", place, edges(dataset))
urn = new_urn(C)
for _ in range(2):
    send(C, urn, "add_inputs", [dataset("x"), dataset("y")])
equal([next(iter(each.values())) for each in member(urn, "chartInfo", "inputs")], [dataset("x"), dataset("y")])
sets(C, "set_chart_url", ("chartInfo", "chartUrl"), "https://example.org")
sets(C, "set_type", ("chartInfo", "type"), "BAR")
B = DashboardPatchBuilder
for one, of in (("dataset", dataset), ("chart", chart)):
    place = ("dashboardInfo", f"{one}Edges")
    pair(B, f"add_{one}_edge", f"remove_{one}_edge", place, edges(of), removal=destination)
    lists(B, f"set_{one}_edges", place, edges(of))
    urn = new_urn(B)
    for _ in range(2):
        send(B, urn, f"add_{one}s", [of("x"), of("y")])
    equal(member(urn, "dashboardInfo", f"{one}s"), [of("x"), of("y")])
urn = new_urn(B)
for _ in range(2):
    send(B, urn, "add_dashboard", dashboard("x"))
equal([each["destinationUrn"] for each in member(urn, "dashboardInfo", "dashboards")], [dashboard("x")])
sets(B, "set_dashboard_url", ("dashboardInfo", "dashboardUrl"), "https://example.org")
for builder, aspect in ((C, "chartInfo"), (B, "dashboardInfo")):
    sets(builder, "set_title", (aspect, "title"), "x")
    sets(builder, "set_description", (aspect, "description"), "x")
    sets(builder, "set_external_url", (aspect, "externalUrl"), "https://example.org")
    sets(builder, "set_access", (aspect, "access"), "PUBLIC")
    sets(builder, "set_last_refreshed", (aspect, "lastRefreshed"), 5)
    sets(builder, "set_last_modified", (aspect, "lastModified", "created", "time"), STAMPS, STAMP.time)

# Jobs and services.
J = DataJobPatchBuilder
for name, field, of in (
    ("input_datajob", "inputDatajobEdges", job),
    ("input_dataset", "inputDatasetEdges", dataset),
    ("output_dataset", "outputDatasetEdges", dataset),
):
    place = ("dataJobInputOutput", field)
    pair(J, f"add_{name}", f"remove_{name}", place, edges(of), removal=destination)
    lists(J, f"set_{name}s", place, edges(of))
for direction in ("input", "output"):
    place = ("dataJobInputOutput", f"{direction}DatasetFields")
    pair(J, f"add_{direction}_dataset_field", f"remove_{direction}_dataset_field", place, [column("x"), column("y")], str)
    # This builder writes edges where the model has urns.
    try:
        send(J, new_urn(J), f"set_{direction}_dataset_fields", edges(column))
        raise AssertionError("edges were accepted as urns")
    except OperationalError as error:
        assert f"/{direction}DatasetFields/0 :: must be a urn, not an object" in str(error.info), error.info
A = ApiPatchBuilder
for direction in ("input", "output"):
    place = ("apiSignature", f"{direction}DatasetEdges")
    pair(A, f"add_{direction}_dataset", f"remove_{direction}_dataset", place, edges(dataset), removal=destination)

# Data products, forms, structured properties, status.
P = DataProductPatchBuilder
product = ("dataProductProperties",)
for field, method in (("name", "set_name"), ("description", "set_description"), ("externalUrl", "set_external_url")):
    sets(P, method, (*product, field), "https://example.org")
sets(P, "set_parent_data_product", (*product, "parentDataProduct"), "urn:li:dataProduct:x")
pair(P, "add_asset", "remove_asset", (*product, "assets"), [dataset("x"), dataset("y")])
lists(P, "set_assets", (*product, "assets"), [DataProductAssociationClass(dataset(name)) for name in ("x", "y")])
F = FormPatchBuilder
named = [("set_name", "x")]
for field, value in (("name", "x"), ("description", "x"), ("type", "VERIFICATION")):
    sets(F, f"set_{field}", ("formInfo", field), value)
sets(F, "set_ownership_form", ("formInfo", "actors", "owners"), True)
prompts = [FormPromptClass(id=name, title=name, type="STRUCTURED_PROPERTY") for name in ("x", "y")]
place = ("formInfo", "prompts")
pair(F, "add_prompt", "remove_prompt", place, prompts, lambda p: p["id"], lambda p: p.id)
pair(
    F, "add_prompts", "remove_prompts", place, [[each] for each in prompts],
    lambda p: p["id"], lambda given: [each.id for each in given],
)
for who, field, kind in (
    ("user", "users", "corpuser"),
    ("group", "groups", "corpGroup"),
    ("ownership_type", "ownershipTypes", "ownershipType"),
):
    urns = [f"urn:li:{kind}:{name}" for name in ("x", "y")]
    pair(F, f"add_assigned_{who}", f"remove_assigned_{who}", ("formInfo", "actors", field), urns, str)
S = StructuredPropertyPatchBuilder
definition = ("propertyDefinition",)
text = "urn:li:dataType:datahub.string"
typed = [
    ("set_qualified_name", "bakery.x"),
    ("set_value_type", text),
    ("add_entity_type", "urn:li:entityType:datahub.dataset"),
]
urn = new_urn(S)
# What restricts values comes with the definition: later it could break assigned ones.
restricted = S(urn)
qualifier = {"allowedTypes": ["urn:li:entityType:datahub.dataset"]}
limits = [("add_allowed_value", PropertyValueClass(value="x")), ("set_type_qualifier", qualifier)]
for method, given in [*typed, *limits]:
    called.add((S, method))
    getattr(restricted, method)(given)
for change in restricted.build():
    sender.emit_mcp(change)
for method, given in [*typed, *typed, ("add_entity_type", "urn:li:entityType:datahub.chart")]:
    send(S, urn, method, given)
for value in ("x", "y", "x"):
    send(S, urn, "add_allowed_value", PropertyValueClass(value=value))
equal(member(urn, *definition, "entityTypes"), [f"urn:li:entityType:datahub.{name}" for name in ("dataset", "chart")])
equal(member(urn, *definition, "typeQualifier"), qualifier)
equal(member(urn, *definition, "allowedValues"), [{"value": {"string": name}} for name in ("x", "y")])
for field, method, value in (
    ("displayName", "set_display_name", "x"),
    ("cardinality", "set_cardinality", "MULTIPLE"),
    ("description", "set_description", "x"),
    ("immutable", "set_immutable", True),
    ("version", "set_version", "20261127000000"),
):
    sets(S, method, (*definition, field), value, first=typed)
for removed in (True, False):
    sets(StatusPatchBuilder, "set_removed", ("status", "removed"), removed)

# Nothing is left out.
modules = [importlib.import_module(f"datahub.specific.{each.name}") for each in pkgutil.iter_modules(datahub.specific.__path__)]
known = {
    made
    for module in modules
    for made in vars(module).values()
    if inspect.isclass(made)
    and made.__module__ == module.__name__
    and (issubclass(made, MetadataPatchProposal) or made is FieldPatchHelper)
}
equal(known, {*BUILDERS, FieldPatchHelper})
methods = {
    (made, name)
    for made in known
    for name, _ in inspect.getmembers(made, inspect.isfunction)
    if not name.startswith("_") and not hasattr(MetadataPatchProposal, name)
}
equal(sorted(f"{made.__name__}.{name}" for made, name in methods - called), [])
