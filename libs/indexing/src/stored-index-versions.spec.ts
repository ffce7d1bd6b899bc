import { describe, expect, it } from '@jest/globals';
import type { IndexVersion } from '@stratalog/ports';
import { describeVersions, effectiveIdentity } from './stored-index-versions';

const IDENTITY = { storeId: 's', epoch: 1, mapping: 'm' };

function version(
  id: string,
  state: IndexVersion['state'],
  options: Partial<IndexVersion> = {},
): IndexVersion {
  return {
    id,
    name: `index-${id}`,
    identity: IDENTITY,
    layout: 2,
    state,
    isOutdated: false,
    isHeld: false,
    isComplete: true,
    heartbeats: 0,
    ...options,
  };
}

describe('the identity of a version', () => {
  it('is its own in the current layout', () => {
    expect(effectiveIdentity(version('1', 'live'), 2)).toEqual(IDENTITY);
  });

  it('differs in another layout, and when a rebuild was requested', () => {
    const mappings = [
      version('1', 'live', { layout: 1 }),
      version('1', 'live', { isOutdated: true, isHeld: false }),
      version('1', 'live', { layout: 1, isOutdated: true, isHeld: false }),
    ].map((each) => effectiveIdentity(each, 2).mapping);
    expect(new Set(['m', ...mappings]).size).toBe(4);
  });
});

describe('the description of versions', () => {
  it('has the live version and the newest that is being built, with its progress', () => {
    const progress = { done: 1, total: 2 };
    expect(
      describeVersions([
        version('1', 'retired'),
        version('2', 'live', { isOutdated: true, isHeld: false }),
        version('3', 'building'),
        version('4', 'building', { progress }),
      ]),
    ).toEqual({
      live: { name: 'index-2', isOutdated: true, isHeld: false },
      building: { name: 'index-4', progress },
    });
  });

  it('has the progress of the version that is filled when several processes have created one each', () => {
    const versions = [
      version('3', 'building', { progress: { done: 1, total: 9 } }),
      version('4', 'building'),
    ];
    expect(describeVersions(versions).building).toMatchObject({ name: 'index-3' });
  });

  it('has no live version when a part of it is missing', () => {
    expect(describeVersions([version('1', 'live', { isComplete: false })])).toEqual({});
  });
});
