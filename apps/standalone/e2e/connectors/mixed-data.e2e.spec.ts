import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, plainEnvironment } from '@stratalog/harness';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import type { EntityRegistry } from '@stratalog/registry';
import { at } from '../testing/catalog/catalog-client';
import {
  CONNECTOR_FOLDER,
  REAL_FILE_NAMES,
  connectorFiles,
  readConnectorRecords,
} from '../testing/data/connector-files';
import { asStored, modelNameOf } from '../testing/data/connector-records';
import { ModelFacts } from '../testing/data/model-facts';
import { graphCaughtUp, relatedTo } from '../testing/data/relationships';
import { expectTimeseriesValueStored } from '../testing/data/stored-timeseries';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const FILES = connectorFiles('mixed', 'timeseries');
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

/** The patches of the files only add upstreams. */
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

describe('the files of connectors', () => {
  const files = connectorFiles('mixed', 'timeseries', 'proposals');

  it('are all of the known real ones, or none of them', () => {
    const known = files.map(({ file }) => file).filter((file) => REAL_FILE_NAMES.includes(file));
    expect([[], REAL_FILE_NAMES]).toContainEqual(known);
  });

  it('hold snapshots, patches and timeseries values', () => {
    const records = files.flatMap(({ file }) => readConnectorRecords(file));
    expect(files.some(({ inSnapshots }) => inSnapshots > 0)).toBe(true);
    expect(records.some(({ changeType }) => changeType === 'PATCH')).toBe(true);
    expect(files.some(({ timeseries }) => timeseries > 0)).toBe(true);
  });
});

describe.each(FILES)('$file, sent by the command line', ({ file, inSnapshots, timeseries, edges: known }) => {
  const catalog = catalogForSuite();
  let folder: string;
  let said: { readonly stdout: string; readonly code: number };
  const sent: SentAspect[] = [];

  beforeAll(async () => {
    execFileSync(process.execPath, [join(ROOT, 'tools/bootstrap/build.mjs'), 'apps/cli/main']);
    folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-mixed-`));
    const rejects = join(folder, 'rejects.jsonl');
    for (const record of readConnectorRecords(file)) sent.push(...aspectsIn(record, catalog.deps.registry));
    const program = join(ROOT, 'dist/apps/cli/main.js');
    const path = join(CONNECTOR_FOLDER, file);
    const args = [program, 'load', path, '--server', catalog.url, '--rejects', rejects];
    said = await run(process.execPath, args, { env: plainEnvironment() }).then(
      ({ stdout }) => ({ stdout, code: 0 }),
      (error: unknown) => error as { readonly stdout: string; readonly code: number },
    );
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('loads completely, including timeseries values', async () => {
    const all = String(readConnectorRecords(file).length);
    expect(said.stdout.replaceAll(/ +/g, ' ')).toContain(
      `records ${all}\nsent ${all}\nwritten ${all}\nrejected 0\n`,
    );
    expect(said.code).toBe(0);
    // Connectors send no unknown names.
    expect(said.stdout).not.toContain('passed over');
    const { registry } = catalog.deps;
    const timeseriesValues = sent.filter(
      ({ aspectName }) => registry.aspect(aspectName)?.kind === 'timeseries',
    );
    expect(timeseriesValues).toHaveLength(timeseries);
    for (const { urn, aspectName, json } of timeseriesValues) {
      const entityType = urn.split(':')[2] ?? '';
      await expectTimeseriesValueStored(catalog.http, {
        urn,
        entityType,
        aspectName,
        json: json as JsonObject,
      });
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
      if (catalog.deps.registry.aspect(aspectName)?.kind === 'timeseries') continue;
      const { json: entity } = await catalog.http.entity(urn, `?aspects=List(${aspectName})`);
      const value = at(entity, 'aspects', aspectName, 'value');
      expect({ urn, aspectName, value }).toEqual({ urn, aspectName, value: asStored(json) });
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(inSnapshots / 2);
  });

  it('draws just the edges that the facts of the model find in it', async () => {
    const facts = new ModelFacts();
    const types = facts.relationships();
    await graphCaughtUp(catalog.http);
    let counted = 0;
    for (const urn of new Set(sent.map((each) => each.urn))) {
      const { json } = await catalog.http.entity(urn);
      // Keys and default aspects are not in the file.
      const values = new Map(
        Object.entries((at(json, 'aspects') ?? {}) as JsonObject).map(([name, envelope]) => [
          name,
          at(envelope, 'value') ?? null,
        ]),
      );
      for (const [name, value] of latestOf(urn)) values.set(name, value);
      const own = new Set([...values].flatMap(([name, value]) => [...facts.collectEdges(name, value)]));
      const { total, edges } = await relatedTo(catalog.http, { urn, types, count: 1_000 });
      expect({ urn, total, edges }).toEqual({ urn, total: own.size, edges: [...own].sort() });
      counted += total;
    }
    if (known !== undefined) expect(counted).toBe(known);
  });

  /** Returns the aspects of an entity as the file leaves them; the urn determines the key aspect. */
  function latestOf(urn: string): ReadonlyMap<string, JsonValue> {
    const latest = new Map<string, JsonValue>();
    for (const each of sent.filter((one) => one.urn === urn && !one.aspectName.endsWith('Key'))) {
      const value = each.isPatch ? patched(latest.get(each.aspectName), each.json) : each.json;
      latest.set(each.aspectName, asStored(value));
    }
    return latest;
  }
});
