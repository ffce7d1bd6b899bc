import { expect, test } from '@jest/globals';
import { addResult, formatRestore, type RestoreResult } from './restore-text';

const ARGS = { start: 0, batchSize: 10, limit: 0, gePitEpochMs: 0, lePitEpochMs: 1_700_000_000_000 };
const RESULT = { ignored: 0, rowsMigrated: 7, timeSqlQueryMs: 12, sendMessageMs: 20 };
const LAST = { lastUrn: 'urn:li:tag:a', lastAspect: 'status' };
const TIMES =
  'timeGetRowMs=0, timeUrnMs=0, timeEntityRegistryCheckMs=0, aspectCheckMs=0, createRecordMs=0, sendMessageMs=20, defaultAspectsCreated=0';

test('the answer to a restore is the text of the reference', () => {
  expect(formatRestore({ ...ARGS, urn: 'urn:li:tag:a' }, [{ ...RESULT, ...LAST }])).toBe(
    '{args=RestoreIndicesArgs(start=0, batchSize=10, limit=0, numThreads=1, batchDelayMs=1, gePitEpochMs=0, lePitEpochMs=1700000000000, ' +
      'aspectName=null, urn=urn:li:tag:a, urnLike=null, urnBasedPagination=false, lastUrn=, lastAspect=), ' +
      `result=RestoreIndicesResult(ignored=0, rowsMigrated=7, timeSqlQueryMs=12, ${TIMES}, lastUrn=urn:li:tag:a, lastAspect=status)}`,
  );
});

test('the last of more than a thousand results sums up the rest', () => {
  let results: readonly RestoreResult[] = [];
  for (let batch = 1; batch <= 1_500; batch++)
    results = addResult(results, { ...RESULT, ...LAST, lastUrn: String(batch) });
  expect(results).toHaveLength(1_000);
  expect(results.at(-2)).toMatchObject({ rowsMigrated: 7, lastUrn: '999' });
  expect(results.at(-1)).toMatchObject({ rowsMigrated: 7 * 501, sendMessageMs: 20 * 501, lastUrn: '1500' });
  expect(results.reduce((sum, { rowsMigrated }) => sum + rowsMigrated, 0)).toBe(7 * 1_500);
});

test('each batch has a line', () => {
  const text = formatRestore({ ...ARGS, aspect: 'status', urnLike: 'urn:li:%' }, [
    { ...RESULT, ...LAST },
    { ...RESULT, ...LAST, rowsMigrated: 3 },
  ]);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toContain('aspectName=status, urn=null, urnLike=urn:li:%,');
});
