"""Taking a tag out of everything that has it, before it goes."""
from common import emitter, equal, graph, proposal
from datahub.metadata.schema_classes import GlobalTagsClass, TagAssociationClass

BURNT = "urn:li:tag:burnt"
CRISP = "urn:li:tag:crisp"
CRUSTS = "urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.crusts,PROD)"
sender = emitter()
reader = graph()
tags = lambda *urns: GlobalTagsClass(tags=[TagAssociationClass(tag=urn) for urn in urns])
sender.emit(proposal(CRUSTS, tags(BURNT, CRISP)))

found = [{"entity": CRUSTS, "relationship": "TaggedWith", "aspect": "globalTags"}]
equal(reader.delete_references_to_urn(BURNT, dry_run=True), (1, found))
equal([tag.tag for tag in reader.get_tags(CRUSTS).tags], [BURNT, CRISP])
equal(reader.delete_references_to_urn(BURNT, dry_run=False), (1, found))
equal([tag.tag for tag in reader.get_tags(CRUSTS).tags], [CRISP])
equal(reader.delete_references_to_urn(BURNT, dry_run=False), (0, []))
equal(reader.delete_references_to_urn(CRISP, dry_run=True)[0], 1)
