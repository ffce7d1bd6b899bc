"""What DataHubGraph lists and counts."""
from common import emitter, equal, eventually, graph, proposal
from datahub.metadata.schema_classes import (
    ContainerPropertiesClass,
    DataProductPropertiesClass,
    DomainPropertiesClass,
    SubTypesClass,
)

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

# Searches with filters.
eventually(lambda: reader.get_domain_urn_by_name("cake"), domains[1])
equal(reader.get_domain_urn_by_name("Cake"), None)
equal(reader.get_domain_urn_by_name("Nowhere"), None)
oven = "urn:li:container:oven"
properties = ContainerPropertiesClass(name="oven", customProperties={"instance": "PROD"})
sender.emit(proposal(oven, properties))
sender.emit(proposal(oven, SubTypesClass(typeNames=["Database"])))
eventually(lambda: list(reader.get_container_urns_by_filter(env="PROD")), [oven])
equal(list(reader.get_container_urns_by_filter(env="DEV")), [])
if hasattr(reader, "get_data_product_urn_by_name"):
    basket = "urn:li:dataProduct:basket"
    sender.emit(proposal(basket, DataProductPropertiesClass(name="Basket, small")))
    eventually(lambda: reader.get_data_product_urn_by_name("Basket, small"), basket)
