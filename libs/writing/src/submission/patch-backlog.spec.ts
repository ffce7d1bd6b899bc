import { beforeEach, describe, expect, it } from '@jest/globals';
import { ThrottledError, type Proposal } from '@stratalog/domain';
import { PatchBacklog } from './patch-backlog';

const MAX_BYTES = 105_000_000;
const SIZE = 5_000_000;
/** Together they read and write 90 MB. */
const FITTING = 9;

const patch = (urn = 'urn:li:tag:hot', value = '[]'): Proposal => ({
  entityType: 'tag',
  urn,
  aspectName: 'tagProperties',
  changeType: 'PATCH',
  value,
  actor: 'urn:li:corpuser:tester',
});
const many = (count: number, of: () => Proposal = patch): Proposal[] =>
  Array.from({ length: count }, () => of());

describe('PatchBacklog', () => {
  let committedOffset: number;
  let sizesRead: number;
  let backlog: PatchBacklog;

  beforeEach(() => {
    committedOffset = 0;
    sizesRead = 0;
    backlog = new PatchBacklog({
      readSizes: (refs) => {
        sizesRead++;
        return Promise.resolve(refs.map(() => SIZE));
      },
      progress: () => Promise.resolve(new Map([[0, { committedOffset, endOffset: 100 }]])),
      maxBytes: MAX_BYTES,
    });
  });

  it('throttles patches of one urn that would rewrite too much, and charges nothing for them', async () => {
    await backlog.add(many(FITTING));
    await expect(backlog.add(many(2))).rejects.toThrow(ThrottledError);
    expect(await backlog.add([patch()])).toBeUndefined();
    await expect(backlog.add([patch()])).rejects.toThrow('urn:li:tag:hot');
    expect(await backlog.add(many(FITTING, () => patch('urn:li:tag:other')))).toBeUndefined();
  });

  it('throttles restatements of the stored value likewise, and no other proposals', async () => {
    const restate = (): Proposal => {
      const { value, ...others } = patch();
      return value === undefined ? others : { ...others, changeType: 'RESTATE' };
    };
    await expect(backlog.add(many(30, restate))).rejects.toThrow(ThrottledError);
    await backlog.add(many(30, () => ({ ...patch(), changeType: 'UPSERT' })));
  });

  it('charges the operations too, by which the value grows', async () => {
    await expect(backlog.add(many(FITTING, () => patch(undefined, 'x'.repeat(1_000_000))))).rejects.toThrow(
      ThrottledError,
    );
  });

  it('frees what is removed, and what the log has applied', async () => {
    const first = many(FITTING);
    await backlog.add(first);
    for (const entry of first) backlog.remove(entry);
    await backlog.add(first);
    for (const [at, entry] of first.entries()) backlog.removeApplied(entry, { partition: 0, offset: at + 1 });
    await expect(backlog.add(many(2))).rejects.toThrow(ThrottledError);
    committedOffset = 5;
    expect(await backlog.add(many(6))).toBeUndefined();
    await expect(backlog.add([patch()])).rejects.toThrow(ThrottledError);
  });

  it('reads no size while few patches of a urn wait', async () => {
    for (let at = 0; at < 5; at++) await backlog.add([patch(`urn:li:tag:${String(at)}`)]);
    expect(sizesRead).toBe(0);
  });
});
