import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { modelOf, oneAspect, type ModelFiles } from '../testing/model-of';
import { makeExampleValue } from '../values/make-example-value';
import { loadModel } from './load-model';

const DEPTH = 12;
const FIELDS = 8;

/** Records of which each holds the next one several times; `leaf` is the only field of the last. */
function nested(leaf: string, kind: 'optional' | ''): ModelFiles {
  const fields = (to: number): string =>
    Array.from({ length: FIELDS }, (_, at) => `f${String(at)}: ${kind} R${String(to)}`).join(' ');
  const records = Array.from({ length: DEPTH }, (_, at) => [
    `R${String(at)}.pdl`,
    `record R${String(at)} { ${at === DEPTH - 1 ? leaf : fields(at + 1)} }`,
  ]);
  return oneAspect('top: optional R0', Object.fromEntries(records) as ModelFiles);
}

test('a model loads whose records multiply without an annotation', async () => {
  const registry = await modelOf([nested('name: string', 'optional')]);
  expect(registry.aspect('thingInfo')?.searchFields).toEqual([]);
});

test.each(['@Searchable = {}', '@Relationship = {"name": "Is"}', '@UrnValidation = {"exist": true}'])(
  'given records that multiply an annotated field with %s, then the model is rejected with one of its paths',
  async (annotation) => {
    const path = `/top${'/f0'.repeat(DEPTH - 2)}`;
    await expect(modelOf([nested(`${annotation} name: string`, 'optional')])).rejects.toThrow(
      new RegExp(`more than 20000 paths lead to it, one of them ${path.slice(0, 20)}`),
    );
  },
);

test('an example of records that require one another several times ends', async () => {
  const registry = await modelOf([nested('name: string', '')]);
  const aspect = registry.aspect('thingInfo');
  if (aspect === undefined) throw new Error('the aspect is there');
  const inner = {
    ...aspect,
    record: {
      ...aspect.record,
      fields: aspect.record.fields.map((field) => ({ ...field, optional: false })),
    },
  };
  expect(JSON.stringify(makeExampleValue(registry, inner)).length).toBeLessThan(200_000);
});

test('each model has the name of its id or folder, and the version of its folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'stratalog-model-'));
  try {
    const folders = [];
    for (const [name, id] of [
      ['plain', undefined],
      ['folder/0.2.1', undefined],
      ['other/v1.0-rc.1', 'own-name'],
    ] as const) {
      const folder = join(root, name);
      const prefix = name.replace(/\W/g, '');
      await mkdir(folder, { recursive: true });
      const entities = `entities: [{name: ${prefix}, keyAspect: ${prefix}Key, aspects: []}]`;
      await writeFile(
        join(folder, 'entity-registry.yml'),
        `${id === undefined ? '' : `id: ${id}\n`}${entities}`,
      );
      await writeFile(
        join(folder, 'Key.pdl'),
        `@Aspect = {"name": "${prefix}Key"} record K${prefix} { id: string }`,
      );
      folders.push(folder);
    }
    expect((await loadModel({ folders })).models).toEqual([
      { name: 'plain', version: '0.0.0-dev' },
      { name: 'folder', version: '0.2.1' },
      { name: 'own-name', version: 'v1.0-rc.1' },
    ]);
  } finally {
    await rm(root, { recursive: true });
  }
});
