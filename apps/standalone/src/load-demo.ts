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
import type { CatalogParts } from '@stratalog/runtime';

const ACTOR = 'urn:li:corpuser:demo';

/**
 * Puts the sample catalog through the proposal log like any producer's; doing it again changes nothing.
 *
 * **Errors**: `FaultError` when the catalog refuses one of its own samples.
 */
export async function loadDemo({ proposals }: CatalogParts, folder: string): Promise<void> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  const samples = files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  );
  const appended = await proposals.append(samples.map(proposalOf), { awaited: true });
  for (const { outcome } of appended) {
    if (outcome?.kind === 'refused') throw new FaultError(`A sample was refused: ${outcome.reason}`);
  }
}

/** One line of the demo files: a proposal in the form that `npm run cli -- load` takes. */
function proposalOf(line: string): Proposal {
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
