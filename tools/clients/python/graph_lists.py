"""What DataHubGraph lists and counts."""
from common import emitter, equal, eventually, graph, proposal
from datahub.metadata.schema_classes import DomainPropertiesClass

sender = emitter()
reader = graph()
domains = [f"urn:li:domain:{name}" for name in ("bread", "cake", "pastry")]
for urn in domains:
    sender.emit(proposal(urn, DomainPropertiesClass(name=urn.split(":")[-1])))

eventually(lambda: sorted(reader.list_all_entity_urns("domain", 0, 10)), domains)
pages = [reader.list_all_entity_urns("domain", start, 1)[0] for start in range(3)]
equal(sorted(pages), domains)
equal(reader.list_all_entity_urns("domain", 3, 10), [])
equal(reader.get_aspect_counts("domainProperties"), 3)
equal(reader.get_aspect_counts("domainProperties", "urn:li:domain:%a%e%"), 1)
