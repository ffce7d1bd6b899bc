"""`acryl-datahub-actions` with the source `datahub-cloud` sees each change at least once, those of one entity in their order, although it is killed.

Its actions are `hello_world` and the propagation of tags. STRATALOG_CLIENTS_CHANGES and STRATALOG_CLIENTS_KILLS set how many changes and kills there are.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from common import SERVER, proposal
from datahub.emitter.rest_emitter import DatahubRestEmitter, EmitMode
from datahub.metadata.schema_classes import GlobalTagsClass, TagAssociationClass

CHANGES = int(os.environ.get("STRATALOG_CLIENTS_CHANGES", "100"))
KILLS = int(os.environ.get("STRATALOG_CLIENTS_KILLS", "2"))
ENTITIES = 10
LIMIT_S = 100 + CHANGES // 10
ACTIONS = {"hello": {"type": "hello_world"}, "propagate": {"type": "tag_propagation", "config": {"tag_prefixes": ["urn:li:tag:followed"]}}}


def urn_of(number):
    return f"urn:li:dataset:(urn:li:dataPlatform:mysql,followed.t{number % ENTITIES},PROD)"


def tag_of(number):
    return f"urn:li:tag:followed-{number}"


class Follower:
    """The program `datahub-actions` with one action, which is started again after each kill."""

    def __init__(self, folder, name):
        self.config = os.path.join(folder, f"{name}.json")
        self.output = os.path.join(folder, f"{name}.txt")
        with open(self.config, "w") as file:
            json.dump({
                "name": f"followed-{name}",
                "source": {"type": "datahub-cloud", "config": {"lookback_days": 1}},
                "action": ACTIONS[name],
                "datahub": {"server": SERVER},
            }, file)
        self.start()

    def start(self):
        program = os.path.join(os.path.dirname(sys.executable), "datahub-actions")
        with open(self.output, "a") as file:
            self.process = subprocess.Popen(
                [program, "actions", "-c", self.config],
                stdout=file, stderr=file, stdin=subprocess.DEVNULL, env={**os.environ, "PYTHONUNBUFFERED": "1"})

    def kill(self):
        self.process.kill()
        self.process.wait()

    def told(self):
        with open(self.output) as file:
            return file.read()


def added(text):
    """The numbers of the tags that were added, in the order in which they were told, by urn."""
    seen = {}
    for told in text.split("Hello world! Received event:")[1:]:
        if '"ADD"' in told and (tag := re.search(r'"modifier": "urn:li:tag:followed-(\d+)"', told)):
            seen.setdefault(re.search(r'"entityUrn": "([^"]+)"', told)[1], []).append(int(tag[1]))
    return seen


sender = DatahubRestEmitter(SERVER, openapi_ingestion=True)
with tempfile.TemporaryDirectory() as folder:
    followers = [Follower(folder, name) for name in ACTIONS]
    try:
        deadline = time.monotonic() + LIMIT_S
        for number in range(CHANGES):
            tags = GlobalTagsClass(tags=[TagAssociationClass(tag=tag_of(number))])
            sender.emit(proposal(urn_of(number), tags), emit_mode=EmitMode.SYNC_PRIMARY)
            if KILLS > 0 and (number + 1) % max(1, CHANGES // KILLS) == 0:
                for each in followers:
                    each.kill()
                    each.start()
        expected = {urn_of(entity): list(range(entity, CHANGES, ENTITIES)) for entity in range(ENTITIES)}

        def firsts():
            return {urn: list(dict.fromkeys(numbers)) for urn, numbers in added(followers[0].told()).items()}

        while firsts() != expected and time.monotonic() < deadline:
            time.sleep(1)
        seen = firsts()
        assert seen == expected, {urn: (len(seen.get(urn, [])), len(numbers)) for urn, numbers in expected.items()}
        assert "Traceback" not in followers[1].told(), followers[1].told()[-3000:]
    finally:
        for each in followers:
            each.kill()
print(f"{CHANGES} changes, each seen at least once and in order, after {KILLS} kills")
