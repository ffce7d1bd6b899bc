import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Site } from '../testing/catalog/booted-catalog';
import { relatedTo } from '../testing/data/relationships';
import { modelFolder } from '../testing/data/sensor-model';

const REGISTRY = `
entities:
  - name: dataset
    aspects: [wiring]
`;
const wiring = (spare: string): string => `namespace org.example
  import com.linkedin.common.Urn
  @Aspect = {"name": "wiring"}
  record Wiring {
    @Relationship = {"/$key": {"name": "PluggedInto"}} plugs: map[string, string] = {}
    @Relationship = {"/*/*": {"name": "Holds"}} boxes: map[string, array[Urn]] = {}
    ${spare} spare: optional Urn
  }`;
const URN = 'urn:li:dataset:(urn:li:dataPlatform:kafka,wired,PROD)';
const tag = (name: string): string => `urn:li:tag:${name}`;
const TYPES = ['PluggedInto', 'Holds', 'SparedBy'];

describe("the graph of a user's own model", () => {
  const folders = mkdtempSync(join(tmpdir(), 'stratalog-wiring-'));
  let site: Site;
  const bootWith = (name: string, spare: string) =>
    site.boot({
      environment: {
        STRATALOG_MODELS: modelFolder(folders, name, {
          'entity-registry.yml': REGISTRY,
          'Wiring.pdl': wiring(spare),
        }),
      },
    });

  beforeAll(async () => {
    site = await Site.create();
  });
  afterAll(async () => {
    await site.remove();
    rmSync(folders, { recursive: true });
  });

  it('has edges from keys and values of maps, and is rebuilt when the model defines others', async () => {
    const first = await bootWith('first', '');
    const waitFor = await first.http.write(URN, 'wiring', {
      plugs: { [tag('a')]: 'left', 'no urn': 'right' },
      boxes: { one: [tag('b'), tag('c')], two: [tag('b')] },
      spare: tag('d'),
    });
    const drawn = [`Holds ${tag('b')}`, `Holds ${tag('c')}`, `PluggedInto ${tag('a')}`];
    const question = { urn: URN, types: TYPES, waitFor };
    expect(await relatedTo(first.http, question)).toEqual({ total: 3, edges: drawn });
    const before = await first.deps.graphIndexes.live();
    await first.stop();

    const second = await bootWith('second', '@Relationship = {"name": "SparedBy"}');
    expect((await relatedTo(second.http, question)).edges).toEqual([...drawn, `SparedBy ${tag('d')}`]);
    expect((await second.deps.graphIndexes.live())?.name).not.toBe(before?.name);
    await second.stop();

    const third = await bootWith('third', '@Relationship = {"name": "SparedBy"} @Searchable = {}');
    const live = await third.deps.graphIndexes.live();
    expect((await relatedTo(third.http, question)).total).toBe(4);
    await third.stop();
    const fourth = await bootWith('fourth', '@Relationship = {"name": "SparedBy"}');
    expect((await fourth.deps.graphIndexes.live())?.name).toBe(live?.name);
  });
});
