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

/**
 * Writes the sample catalog through the proposal log like any producer; a repeat changes nothing.
 *
 * **Errors**: `FaultError` when the catalog rejects one of its own samples.
 */
export async function loadDemo({ proposals }: CatalogDeps, folder: string): Promise<void> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  const samples = files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  );
  const appended = await proposals.append(samples.map(toProposal), { awaited: true });
  for (const { outcome } of appended) {
    if (outcome?.kind === 'rejected') throw new FaultError(`A sample was refused: ${outcome.reason}`);
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
