import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/model';
import type { EntityRegistry } from '@stratalog/registry';
import { at } from './testing/catalog-client';
import { ROOT, cleanEnvironment } from './testing/catalog-process';
import {
  CONNECTOR_FOLDER,
  asStored,
  connectorRecordsOf,
  hasConnectorFiles,
  modelNameOf,
} from './testing/connector-records';
import { catalogForSuite } from './testing/suite-catalog';

/** What is known of each file: its aspects in snapshots, and its proposals of timeseries aspects. */
const FILES = [
  { file: 'dbt.mixed.json', inSnapshots: 75, timeseries: 0 },
  { file: 'kafka.mixed.json', inSnapshots: 14, timeseries: 0 },
  { file: 'looker.mixed.json', inSnapshots: 15, timeseries: 0 },
  { file: 'postgres.mixed.json', inSnapshots: 6, timeseries: 1 },
  { file: 'sagemaker.mixed.json', inSnapshots: 78, timeseries: 0 },
  { file: 'tableau.mixed.json', inSnapshots: 217, timeseries: 2 },
];

if (!hasConnectorFiles) {
  declareNotRun({
    what: 'the loads of real connector output with snapshots',
    why: 'there is no folder shared/data beside this checkout',
    missing: 'material',
  });
}

const describeWhenThere = hasConnectorFiles ? describe : describe.skip;
const run = promisify(execFile);

/** One aspect that a record writes. */
interface SentAspect {
  readonly urn: string;
  readonly aspectName: string;
  readonly json: JsonValue;
  readonly isPatch: boolean;
  readonly inSnapshot: boolean;
}

function aspectsIn(record: JsonObject, registry: EntityRegistry): readonly SentAspect[] {
  const { proposedSnapshot: snapshot } = record;
  if (!isJsonObject(snapshot)) {
    const {
      entityUrn: urn,
      aspectName,
      changeType,
      aspect,
    } = record as Record<string, string> & {
      aspect: JsonObject;
    };
    const isPatch = changeType === 'PATCH';
    return [
      { urn: urn ?? '', aspectName: aspectName ?? '', json: aspect.json ?? null, isPatch, inSnapshot: false },
    ];
  }
  const [{ urn, aspects } = { urn: '', aspects: [] }] = Object.values(snapshot) as unknown as {
    readonly urn: string;
    readonly aspects: readonly JsonObject[];
  }[];
  return aspects.flatMap((each) =>
    Object.entries(each).map(([name, json]) => {
      const aspect = registry.aspects.find(({ recordName }) => recordName === modelNameOf(name));
      return { urn, aspectName: aspect?.name ?? name, json, isPatch: false, inSnapshot: true };
    }),
  );
}

/** The patches of the files add upstreams, and nothing else. */
function patched(before: JsonValue | undefined, operations: JsonValue): JsonValue {
  const upstreams = (at(before, 'upstreams') ?? []) as readonly JsonValue[];
  const added = (operations as JsonObject[]).map(({ op, path, value }) => {
    expect([op, path]).toEqual(['add', expect.stringMatching(/^\/upstreams\//)]);
    return value ?? null;
  });
  const urns = added.map((value) => at(value, 'dataset'));
  const kept = upstreams.filter((value) => !urns.includes(at(value, 'dataset')));
  return { ...((before ?? {}) as JsonObject), upstreams: [...kept, ...added] };
}

describeWhenThere('the files of real connectors', () => {
  it('that hold snapshots and proposals are these', () => {
    const names = readdirSync(CONNECTOR_FOLDER).filter((name) => name.endsWith('.mixed.json'));
    expect(names.sort()).toEqual(FILES.map(({ file }) => file));
  });
});

describeWhenThere.each(FILES)('$file, sent by the command line', ({ file, inSnapshots, timeseries }) => {
  const catalog = catalogForSuite();
  let folder: string;
  let said: { readonly stdout: string; readonly code: number };
  const sent: SentAspect[] = [];

  beforeAll(async () => {
    execFileSync(process.execPath, [join(ROOT, 'tools/bootstrap/build.mjs'), 'apps/cli/main']);
    folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-mixed-`));
    const rejects = join(folder, 'rejects.jsonl');
    for (const record of connectorRecordsOf(file)) sent.push(...aspectsIn(record, catalog.parts.registry));
    const program = join(ROOT, 'dist/apps/cli/main.js');
    const path = join(CONNECTOR_FOLDER, file);
    const args = [program, 'load', path, '--server', catalog.url, '--rejects', rejects];
    said = await run(process.execPath, args, { env: cleanEnvironment({}) }).then(
      ({ stdout }) => ({ stdout, code: 0 }),
      (error: unknown) => error as { readonly stdout: string; readonly code: number },
    );
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('goes in as a whole, points included', async () => {
    const all = String(connectorRecordsOf(file).length);
    expect(said.stdout.replaceAll(/ +/g, ' ')).toContain(
      `records ${all}\nsent ${all}\nwritten ${all}\nrefused 0\n`,
    );
    expect(said.code).toBe(0);
    const { registry, store } = catalog.parts;
    const points = sent.filter(({ aspectName }) => registry.aspect(aspectName)?.kind === 'timeseries');
    expect(points).toHaveLength(timeseries);
    for (const { urn, aspectName } of points) {
      expect(await store.countPoints({ urn, aspectName, within: {} })).toBeGreaterThan(0);
    }
  });

  it('reads back equal, aspect by aspect', async () => {
    expect(sent.filter((each) => each.inSnapshot)).toHaveLength(inSnapshots);
    const latest = new Map<string, Pick<SentAspect, 'urn' | 'aspectName' | 'json'>>();
    for (const { urn, aspectName, json, isPatch } of sent) {
      const key = `${urn} ${aspectName}`;
      const before = latest.get(key)?.json;
      latest.set(key, { urn, aspectName, json: isPatch ? patched(before, json) : json });
    }
    let compared = 0;
    for (const { urn, aspectName, json } of latest.values()) {
      if (catalog.parts.registry.aspect(aspectName)?.kind === 'timeseries') continue;
      const { json: entity } = await catalog.http.entity(urn, `?aspects=List(${aspectName})`);
      const value = at(entity, 'aspects', aspectName, 'value');
      expect({ urn, aspectName, value }).toEqual({ urn, aspectName, value: asStored(json) });
      compared++;
    }
    expect(compared).toBeGreaterThan(inSnapshots / 2);
  });
});
