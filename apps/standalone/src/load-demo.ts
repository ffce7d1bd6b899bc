import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TEST_INFO, readTestFile } from '@stratalog/metadata-tests';
import { FaultError, covers, type Proposal } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonObject } from '@stratalog/json';
import type { EntityRegistry } from '@stratalog/registry';
import type { CatalogDeps } from '@stratalog/runtime';
import { demoValues } from './demo-values';

const ACTOR = 'urn:li:corpuser:demo';
/** Time of the samples: 2026-02-25. **Units**: epoch milliseconds. */
const OBSERVED_MS = 1_772_020_800_000;
/** Samples that share commits and one commit timeout. */
const IN_FLIGHT = 256;
const POLL_MS = 50;

/**
 * Writes the sample catalog like any producer, and returns when it is searchable; a repeat on the same day changes nothing.
 *
 * **Errors**: `FaultError` when the catalog rejects one of its own samples.
 */
export async function loadDemo(
  deps: CatalogDeps,
  { folder, testsFolder }: { readonly folder: string; readonly testsFolder: string },
): Promise<void> {
  const { submitter, registry, clock } = deps;
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean));
  const metadata = lines.map(toProposal);
  const samples = [...metadata, ...demoValues(metadata, clock.now()), ...readTests(testsFolder, registry)];
  for (let at = 0; at < samples.length; at += IN_FLIGHT) {
    const page = samples.slice(at, at + IN_FLIGHT);
    const outcomes = await Promise.all(page.map((sample) => submitter.submitAndWait(sample)));
    for (const outcome of outcomes) {
      if (outcome.kind === 'rejected') throw new FaultError(`A sample was rejected: ${outcome.reason}`);
    }
  }
  await measurePopularity(deps);
  await untilSearchable(deps);
}

/** Measures the use of the samples now: the first measurement of the start found none. */
async function measurePopularity({ popularity, tasks }: CatalogDeps): Promise<void> {
  if (popularity.strength === 'off') return;
  await tasks.create({ kind: 'measure-popularity', parameters: {}, actor: ACTOR });
}

async function untilSearchable({ store, searchIndexes, graphIndexes }: CatalogDeps): Promise<void> {
  const wanted = await store.readPartitionSequences();
  for (const indexes of [searchIndexes, graphIndexes]) {
    let position = await (await indexes.live())?.position();
    while (position === undefined || !covers(position, wanted)) {
      await pause(POLL_MS);
      position = await (await indexes.live())?.position();
    }
  }
}

/** Reads the tests of a folder; the name of a file is the id of its test. */
function readTests(folder: string, { urnNamespace }: EntityRegistry): readonly Proposal[] {
  return readdirSync(folder)
    .sort()
    .map((name) => ({
      entityType: 'test',
      urn: `urn:${urnNamespace}:test:${basename(name, '.json')}`,
      aspectName: TEST_INFO,
      changeType: 'UPSERT',
      value: stringifyJson(readTestFile(readFileSync(join(folder, name), 'utf8')).info),
      systemMetadata: { lastObserved: OBSERVED_MS, runId: 'demo' },
      actor: ACTOR,
    }));
}

/** Parses one line of the demo files: a proposal in the form of `npm run cli -- load`. */
function toProposal(line: string): Proposal {
  const record = parseJson(line) as JsonObject;
  const aspect = record.aspect;
  const text = (name: string): string => {
    const value = record[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    entityType: text('entityType'),
    urn: text('entityUrn'),
    aspectName: text('aspectName'),
    changeType: 'UPSERT',
    value: stringifyJson((isJsonObject(aspect) ? aspect.json : undefined) ?? null),
    systemMetadata: isJsonObject(record.systemMetadata) ? record.systemMetadata : {},
    actor: ACTOR,
  };
}
