import { describe, expect, it } from '@jest/globals';
import type { AuditedCall } from '@stratalog/ports';
import { RepeatedCalls } from './repeated-calls';

const CALL: AuditedCall = {
  actor: 'urn:li:corpuser:unknown',
  call: 'POST /operations rebuildIndices',
  parameters: {},
  outcome: 'rejected',
  status: 401,
  durationMs: 1,
  address: '203.0.113.7',
};

describe('calls that repeat', () => {
  const recorded: AuditedCall[] = [];
  const open = (): RepeatedCalls => {
    recorded.length = 0;
    return new RepeatedCalls((call) => Promise.resolve(void recorded.push(call)));
  };

  it('are recorded first and last, with the number of the others', async () => {
    const calls = open();
    for (const durationMs of [1, 2, 3, 4]) await calls.add({ ...CALL, durationMs });
    expect(recorded).toEqual([CALL]);
    await calls.flush();
    expect(recorded).toEqual([CALL, { ...CALL, durationMs: 4, omitted: 2 }]);
    await calls.flush();
    expect(recorded).toHaveLength(2);
  });

  it('begin again in the next window', async () => {
    const calls = open();
    await calls.add(CALL);
    await calls.flush();
    await calls.add(CALL);
    await calls.add(CALL);
    await calls.flush();
    expect(recorded).toEqual([CALL, CALL, CALL]);
  });

  it('fill no more than a bounded number of records, and are counted all', async () => {
    const calls = open();
    for (let at = 0; at < 10_000; at += 1) {
      await calls.add({ ...CALL, address: `10.0.${String(at >> 8)}.${String(at & 255)}` });
    }
    await calls.flush();
    expect(recorded).toHaveLength(51);
    expect(recorded.reduce((sum, { omitted = 0 }) => sum + omitted + 1, 0)).toBe(10_000);
  });
});
