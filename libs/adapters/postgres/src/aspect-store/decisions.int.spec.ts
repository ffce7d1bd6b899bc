import { describe, expect, it } from '@jest/globals';
import type { ReferenceLookup } from '@stratalog/ports';
import { NO_WRITES, datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import { ASPECT, useTestedStore } from '../testing/tested-store.fixture';

describe('PostgresAspectStore', () => {
  const tested = useTestedStore();
  const { urn, aspectName } = ASPECT;

  it('lets a decision read referenced entities, and does not write them', async () => {
    const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map(datasetUrn);
    const links = { [a]: b, [b]: c, [c]: a };
    for (const [each, to] of Object.entries(links)) {
      const value = JSON.stringify({ to });
      await tested.append(each, { [aspectName]: value });
    }
    let from = await tested.readCommittedOffset(urn);
    const lookedUpFrom = async (...referenceLookups: ReferenceLookup[]): Promise<readonly boolean[]> => {
      let seen: readonly boolean[] = [];
      await tested.store.commit({
        ranges: [toRange(urn, tested.partitions, from++)],
        reads: [{ urn, aspectName }],
        referenceLookups,
        decide: (snapshot) => {
          seen = [a, b, c].map((each) => snapshot.referenceValue({ urn: each, aspectName }) !== undefined);
          return NO_WRITES;
        },
      });
      return seen;
    };
    expect(await lookedUpFrom()).toEqual([false, false, false]);
    expect(await lookedUpFrom({ urn: b, aspectName })).toEqual([false, true, false]);
    expect(await lookedUpFrom({ urn: b, aspectName, followField: 'none' })).toEqual([false, true, false]);
    expect(await lookedUpFrom({ urn: b, aspectName, followField: 'to' })).toEqual([true, true, true]);
    expect(await lookedUpFrom({ urn: b, aspectName: 'status', followField: 'to' })).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('tells a decision which default aspects an entity lacks, and the versions that they had', async () => {
    const [whole = '', bare = '', unknown = ''] = ['whole', 'bare', 'unknown'].map(datasetUrn);
    const aspectNames = ['browsePaths', 'browsePathsV2'];
    await tested.append(whole, { browsePaths: '{}', browsePathsV2: '{}' });
    await tested.append(bare, { [aspectName]: '{}', browsePathsV2: '{}' });
    const from = await tested.readCommittedOffset(urn);
    let seen: unknown;
    const decisionOn = (urns: readonly string[]): Promise<unknown> =>
      tested.store.commit({
        ranges: [toRange(urn, tested.partitions, from, 0)],
        reads: urns.map((each) => ({ urn: each, aspectName })),
        defaults: [{ urns, aspectNames }],
        decide: (snapshot) => {
          seen = urns.map((each) =>
            aspectNames.map((name) => {
              const ref = { urn: each, aspectName: name };
              return [
                snapshot.isMissing(ref),
                snapshot.isMissing(ref) ? snapshot.lastVersion(ref) : undefined,
              ];
            }),
          );
          return NO_WRITES;
        },
      });
    await decisionOn([whole, bare, unknown]);
    expect(seen).toEqual([
      [
        [false, undefined],
        [false, undefined],
      ],
      [
        [true, 0],
        [false, undefined],
      ],
      [
        [true, 0],
        [true, 0],
      ],
    ]);
  });

  it('reports whether a value equals the stored one, small or large', async () => {
    for (const [from, value] of ['{"a":1}', JSON.stringify({ text: 'ü'.repeat(200_000) })].entries()) {
      await tested.write(value, from);
      const answers: (boolean | undefined)[] = [];
      const batch = plainBatch([toRange(urn, tested.partitions, from + 1, 0)], []);
      await tested.store.commit({
        ...batch,
        reads: [{ urn, aspectName }],
        decide: (snapshot) => {
          const latest = snapshot.aspect({ urn, aspectName });
          answers.push(latest?.isValue(value), latest?.isValue(`${value} `));
          if (latest?.value !== undefined) answers.push(latest.value === value);
          return NO_WRITES;
        },
      });
      expect(answers.slice(0, 2)).toEqual([true, false]);
      expect(answers.slice(2)).not.toContain(false);
    }
  });

  it('gives a decision the whole value on request, however large', async () => {
    const value = JSON.stringify({ text: 'ü'.repeat(200_000) });
    await tested.write(value, 0);
    let seen: string | undefined;
    await tested.store.commit({
      ...plainBatch([toRange(urn, tested.partitions, 1, 0)], []),
      reads: [{ urn, aspectName, whole: true }],
      decide: (snapshot) => {
        const latest = snapshot.aspect({ urn, aspectName });
        seen = latest?.isValue(value) === true ? latest.value : undefined;
        return NO_WRITES;
      },
    });
    expect(seen).toBe(value);
  });
});
