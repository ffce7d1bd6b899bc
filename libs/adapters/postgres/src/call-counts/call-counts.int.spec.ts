import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CallCount, CallCounts } from '@stratalog/ports';
import { PostgresCallCounts } from './call-counts';
import { useSuiteDatabase } from '../testing/suite-database';

const READS: CallCount = { kind: 'read', caller: 'urn:li:corpuser:a', window: 178_000_000, count: 3 };
const GUESSES: CallCount = { kind: 'failure', caller: '203.0.113.7', window: 495_000, count: 2 };
const HOUR_MS = 3_600_000;

describe('PostgresCallCounts', () => {
  const suite = useSuiteDatabase();
  let counts: CallCounts;

  beforeEach(async () => {
    await suite.database.use((client) => client.query('truncate call_count'));
    counts = new PostgresCallCounts(suite.database);
  });

  it('adds up the calls of several processes', async () => {
    expect(await counts.add([READS, GUESSES])).toEqual(expect.arrayContaining([READS, GUESSES]));
    const later = { ...READS, window: READS.window + 1, count: 1 };
    expect(await counts.add([{ ...READS, count: 4 }, later])).toEqual(
      expect.arrayContaining([{ ...READS, count: 7 }, later]),
    );
    expect(await counts.add([])).toEqual([]);
  });

  it('loses no call of processes that add at once', async () => {
    const others = { ...GUESSES, caller: '2001:db8::/64' };
    await Promise.all(
      Array.from({ length: 8 }, (_, at) => counts.add(at % 2 === 0 ? [GUESSES, others] : [others, GUESSES])),
    );
    expect(await counts.add([{ ...GUESSES, count: 1 }])).toEqual([{ ...GUESSES, count: 17 }]);
  });

  it('lists those of a kind that changed, the last first', async () => {
    const others = { ...GUESSES, caller: '203.0.113.8' };
    await counts.add([READS]);
    await counts.add([GUESSES]);
    await counts.add([others]);
    expect(await counts.listRecent('failure', HOUR_MS, 10)).toEqual([others, GUESSES]);
    expect(await counts.listRecent('failure', HOUR_MS, 1)).toEqual([others]);
    expect(await counts.listRecent('failure', -HOUR_MS, 10)).toEqual([]);
  });

  it('deletes old ones of a kind', async () => {
    await counts.add([READS, GUESSES]);
    expect(await counts.purge(['read', 'failure'], HOUR_MS)).toBe(0);
    expect(await counts.purge(['read', 'write'], -HOUR_MS)).toBe(1);
    expect(await counts.add([READS])).toEqual([READS]);
    expect(await counts.add([{ ...GUESSES, count: 1 }])).toEqual([{ ...GUESSES, count: 3 }]);
  });
});
