import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/json';
import { modelOf, oneAspect } from '../testing/model-of';
import { referencesIn, withoutReference } from './without-reference';

const FILES = { 'Urn.pdl': '@Urn typeref Urn = string' };
const GONE = 'urn:li:thing:gone';
const KEPT = 'urn:li:thing:kept';

async function remove(fields: string, value: JsonObject) {
  const registry = await modelOf([oneAspect(fields, FILES)]);
  const aspect = registry.aspect('thingInfo');
  if (aspect === undefined) throw new Error('the aspect is there');
  const names = referencesIn(aspect, value, GONE);
  const removal = withoutReference(registry, aspect, value, GONE);
  return [names, removal.kind === 'rewritten' ? removal.value : removal.kind];
}

describe('withoutReference', () => {
  const single = '@Relationship = {"name": "PartOf"} parent: optional Urn';
  const required = '@Relationship = {"name": "PartOf"} parent: Urn';

  it('drops an optional field and keeps references to others', async () => {
    expect(await remove(`${single} note: string`, { parent: GONE, note: 'x' })).toEqual([
      ['PartOf'],
      { note: 'x' },
    ]);
    expect(await remove(single, { parent: GONE })).toEqual([['PartOf'], {}]);
  });

  it('drops elements of an array of urns', async () => {
    const fields = '@Relationship = {"/*": {"name": "Has"}} all: array[Urn]';
    expect(await remove(fields, { all: [GONE, KEPT, GONE] })).toEqual([['Has'], { all: [KEPT] }]);
  });

  it('drops the element whose own field is required, otherwise only the field', async () => {
    const fields = (kind: string) =>
      `@Relationship = {"/*/to": {"name": "Uses"}} uses: array[record Use { to: ${kind} Urn, note: string }]`;
    const value = {
      uses: [
        { to: GONE, note: 'a' },
        { to: KEPT, note: 'b' },
      ],
    };
    expect(await remove(fields(''), value)).toEqual([['Uses'], { uses: [{ to: KEPT, note: 'b' }] }]);
    expect(await remove(fields('optional'), value)).toEqual([
      ['Uses'],
      { uses: [{ note: 'a' }, { to: KEPT, note: 'b' }] },
    ]);
  });

  it('drops entries of maps, by value and by key', async () => {
    const byValue = '@Relationship = {"/*": {"name": "Has"}} all: map[string, Urn]';
    expect(await remove(byValue, { all: { a: GONE, b: KEPT } })).toEqual([['Has'], { all: { b: KEPT } }]);
    const byKey = '@Relationship = {"/$key": {"name": "Has"}} all: map[Urn, string]';
    expect(await remove(byKey, { all: { [GONE]: 'a', [KEPT]: 'b' } })).toEqual([
      ['Has'],
      { all: { [KEPT]: 'b' } },
    ]);
  });

  it('reports an aspect without other content, and a required reference', async () => {
    expect(await remove(required, { parent: GONE })).toEqual([['PartOf'], 'emptied']);
    expect(await remove(`${required} note: string`, { parent: GONE, note: 'x' })).toEqual([
      ['PartOf'],
      'required',
    ]);
  });

  it('removes the references of several relationships', async () => {
    const fields = `${single} @Relationship = {"/*": {"name": "Has"}} all: array[Urn]`;
    expect(await remove(fields, { parent: GONE, all: [GONE] })).toEqual([['PartOf', 'Has'], { all: [] }]);
  });
});
