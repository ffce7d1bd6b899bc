"""`get_urns_by_filter` lists each urn once while others write, and no other than `listUrns` does.

STRATALOG_CLIENTS_ENTITIES sets how many entities there are, and STRATALOG_CLIENTS_WRITES how many are written each second meanwhile.
"""
import os
import threading
import time

from common import SERVER, graph, proposal
from datahub.emitter.rest_emitter import DatahubRestEmitter, EmitMode
from datahub.metadata.schema_classes import GlossaryTermInfoClass


COUNT = int(os.environ.get("STRATALOG_CLIENTS_ENTITIES", "2000"))
WRITES_PER_SECOND = int(os.environ.get("STRATALOG_CLIENTS_WRITES", "50"))
PAGE = 10_000
URNS = [f"urn:li:glossaryTerm:listed-{number}" for number in range(COUNT)]
WRITERS = 16


def described(urn, text):
    return proposal(urn, GlossaryTermInfoClass(definition=text, termSource="INTERNAL"))


reader = graph()
sender = DatahubRestEmitter(SERVER, openapi_ingestion=True)
for start in range(0, COUNT, PAGE):
    sender.emit_mcps([described(urn, "first") for urn in URNS[start : start + PAGE]], emit_mode=EmitMode.ASYNC)


def total():
    answer = reader._post_generic(f"{SERVER}/entities?action=search", {"entity": "glossaryTerm", "input": "listed*", "start": 0, "count": 0})
    return answer["value"]["numEntities"]


deadline = time.monotonic() + 600
while total() < COUNT and time.monotonic() < deadline:
    time.sleep(0.5)

is_over = threading.Event()
written = [0] * WRITERS


def write(number):
    own = DatahubRestEmitter(SERVER)
    begun = time.monotonic()
    while not is_over.is_set():
        urn = URNS[(number * 7919 + written[number] * 104_729) % COUNT]
        own.emit(described(urn, f"again {number} {written[number]}"), emit_mode=EmitMode.ASYNC)
        written[number] += 1
        ahead = written[number] * WRITERS / WRITES_PER_SECOND - (time.monotonic() - begun)
        if ahead > 0:
            is_over.wait(ahead)


writers = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
for each in writers:
    each.start()
begun = time.monotonic()
try:
    found = list(reader.get_urns_by_filter(entity_types=["glossaryTerm"], query="listed*"))
    seconds = time.monotonic() - begun
finally:
    is_over.set()
    for each in writers:
        each.join()

listed = []
while len(page := reader.list_all_entity_urns("glossaryTerm", len(listed), PAGE)) > 0:
    listed += page
listed = [urn for urn in listed if urn.startswith("urn:li:glossaryTerm:listed-")]
assert len(found) == len(set(found)), "a urn came twice"
assert set(found) == set(listed) == set(URNS), (len(found), len(listed), COUNT)
print(f"{COUNT} urns in {seconds:.1f} s, while {sum(written)} writes were made, {sum(written) / seconds:.0f} each second")
