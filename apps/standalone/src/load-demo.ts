import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  FaultError,
  isJsonObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type Proposal,
} from '@stratalog/model';
import type { CatalogDeps } from '@stratalog/runtime';

const ACTOR = 'urn:li:corpuser:demo';
/** Samples that share commits and one commit timeout. */
const IN_FLIGHT = 256;

/**
 * Writes the sample catalog like any producer; a repeat changes nothing.
 *
 * **Errors**: `FaultError` when the catalog rejects one of its own samples.
 */
export async function loadDemo({ submitter }: CatalogDeps, folder: string): Promise<void> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  const samples = files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  );
  for (let at = 0; at < samples.length; at += IN_FLIGHT) {
    const page = samples.slice(at, at + IN_FLIGHT);
    const outcomes = await Promise.all(page.map((line) => submitter.submitAndWait(toProposal(line))));
    for (const outcome of outcomes) {
      if (outcome.kind === 'rejected') throw new FaultError(`A sample was refused: ${outcome.reason}`);
    }
  }
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
