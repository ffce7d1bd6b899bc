import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';
import {
  isJsonObject,
  parseJson,
  type JsonObject,
  type JsonOutputObject,
  type JsonValue,
} from '@stratalog/json';
import { holds } from '@stratalog/docs';
import { succeeded, type ClientSession } from './client-session';
import { eventually } from './eventually';
import type { Step } from './step';

/** An aspect in an input file of the client. */
interface GivenAspect {
  readonly urn: string;
  readonly name: string;
  readonly value: JsonValue;
}

/** `datahub ingest` from files, as connectors write them. */
export const INGEST_STEPS: readonly Step[] = [
  ingestOf('proposals', { mode: 'SYNC' }),
  ingestOf('more-proposals', {}),
  ingestOf('snapshots', { mode: 'SYNC' }),
  ingestOf('more-snapshots', {}),
];

function ingestOf(name: string, sink: JsonOutputObject): Step {
  const mode = sink.mode === 'SYNC' ? 'one by one' : 'as the release does by itself';
  return {
    name: `datahub ingest of ${name}, ${mode}: everything is read back`,
    run: (client) => ingest(client, name, sink),
  };
}

async function ingest(client: ClientSession, name: string, sink: JsonOutputObject): Promise<void> {
  const filename = join(ROOT, 'tools/clients/files', `${name}.json`);
  const recipe = client.file({
    source: { type: 'file', config: { filename } },
    sink: { type: 'datahub-rest', config: { server: client.url, ...sink } },
  });
  const { stdout, stderr } = succeeded(await client.command('ingest', '-c', recipe));
  assert.match(`${stdout}${stderr}`, /Pipeline finished successfully/);
  const given = aspectsIn(parseJson(readFileSync(filename, 'utf8')));
  assert.ok(given.length > 4);
  // The current release sends asynchronously.
  await eventually(async () => {
    assert.deepEqual(await missing(client, given), []);
  });
}

/** Returns the aspects that are not stored as given, with the stored values. */
async function missing(client: ClientSession, given: readonly GivenAspect[]): Promise<readonly object[]> {
  const stored = await Promise.all(given.map(({ urn, name }) => client.valueOf(urn, name)));
  return given.flatMap((aspect, at) =>
    holds(aspect.value, stored[at]) ? [] : [{ ...aspect, stored: stored[at] }],
  );
}

function aspectsIn(records: JsonValue): readonly GivenAspect[] {
  return (records as readonly JsonObject[]).flatMap(({ proposedSnapshot, entityUrn, aspectName, aspect }) => {
    if (!isJsonObject(proposedSnapshot)) {
      return [
        { urn: entityUrn as string, name: aspectName as string, value: (aspect as JsonObject).json ?? null },
      ];
    }
    return Object.values(proposedSnapshot).flatMap((snapshot) => {
      const { urn, aspects } = snapshot as unknown as { urn: string; aspects: readonly JsonObject[] };
      return aspects.flatMap((each) =>
        Object.entries(each).map(([record, value]) => ({
          urn,
          name: aspectNameOf(record),
          value: asStored(value),
        })),
      );
    });
  });
}

/** The records of the input files are named like their aspects. */
function aspectNameOf(record: string): string {
  const name = record.split('.').at(-1) ?? '';
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Files name the types of unions as Avro does. */
function asStored(value: JsonValue): JsonValue {
  return parseJson(JSON.stringify(value).replaceAll('.pegasus2avro.', '.'));
}
