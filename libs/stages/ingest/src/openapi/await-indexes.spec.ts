import { describe, expect, it } from '@jest/globals';
import { NotCaughtUpError, UnknownNames, type Proposal } from '@stratalog/domain';
import { awaitIndexes } from './await-indexes';

const BEHIND = { waitUntil: () => Promise.reject(new NotCaughtUpError('The search index is behind')) };
const AT = { waitUntil: () => Promise.resolve() };
const POSITION = { storeId: 's', epoch: 1, seqs: new Map([[0, 1]]) };
const proposal = (more: Partial<Proposal> = {}): Proposal => ({
  entityType: 'tag',
  urn: 'urn:li:tag:a',
  aspectName: 'tagProperties',
  changeType: 'UPSERT',
  actor: 'urn:li:corpuser:ada',
  ...more,
});

describe('awaitIndexes, when an index is late', () => {
  const wait = async (...proposals: readonly Proposal[]) => {
    const unknown = new UnknownNames(false);
    await awaitIndexes({ searchReads: BEHIND, graphReads: AT }, POSITION, { proposals, unknown });
    return unknown.texts;
  };

  it('is an error for a write that may be sent again', async () => {
    await expect(wait(proposal(), proposal())).rejects.toThrow(
      'The write is committed, and not searchable yet',
    );
  });

  it.each([
    ['with a condition', { headers: { 'If-Version-Match': '1' } }],
    ['that creates', { changeType: 'CREATE' }],
    ['that patches', { changeType: 'PATCH' }],
  ] as const)(
    'is a warning for a write %s, which another attempt would find rejected',
    async (_what, more) => {
      expect(await wait(proposal(), proposal(more as Partial<Proposal>))).toEqual([
        'The write is committed, and not searchable yet. The search index is behind',
      ]);
    },
  );
});
