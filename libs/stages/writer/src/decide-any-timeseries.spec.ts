import { describe, expect, it } from '@jest/globals';
import { isWithin, timeseriesValueId } from '@stratalog/domain';
import fc from 'fast-check';
import type { AcceptedRecord } from './check-record';
import { A, B, together } from './testing/history';
import { timeseriesValue, removal, entityRemoval, Store } from './testing/timeseries-records';

describe('any log of timeseries values', () => {
  const urns = fc.constantFrom(A, B);
  const times = fc.integer({ min: 1, max: 6 });
  const records = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(urns, times, fc.constantFrom('1', '2'), fc.constantFrom('k', 'l')) },
    { weight: 2, arbitrary: fc.tuple(urns, times, times) },
    { weight: 1, arbitrary: fc.tuple(urns) },
  );
  const made = records.map((deps): AcceptedRecord => {
    if (deps.length === 1) return entityRemoval(deps[0]);
    if (deps.length === 3) return removal(deps[0], { startMs: deps[1], endMs: deps[2] });
    return timeseriesValue(...deps);
  });
  const logs = fc.array(made, { maxLength: 40 });

  it('gives the same state however it is cut into batches', () => {
    fc.assert(
      fc.property(logs, fc.integer({ min: 1, max: 7 }), (log, size) => {
        const [whole, pieces, batches] = [new Store(), new Store(), new Store()];
        whole.apply(log);
        const slices: (readonly AcceptedRecord[])[] = [];
        for (let from = 0; from < log.length; from += size) slices.push(log.slice(from, from + size));
        for (const slice of slices) pieces.apply(slice);
        batches.apply(slices.map((slice) => together(...slice)));
        for (const other of [pieces, batches]) {
          expect(other.state).toEqual(whole.state);
          expect(other.changes.map(({ kind, urn }) => [kind, urn])).toEqual(
            whole.changes.map(({ kind, urn }) => [kind, urn]),
          );
          expect([...other.taken]).toEqual([...whole.taken]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leaves the last value of each identity that is not deleted later', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const store = new Store();
        store.apply(log);
        const expected = new Map<string, string>();
        for (const { urn, aspectName, value = '', timeseriesValues } of log) {
          if (timeseriesValues !== undefined && 'identity' in timeseriesValues) {
            expected.set(timeseriesValueId({ urn, aspectName, ...timeseriesValues.identity }), value);
            continue;
          }
          const within = timeseriesValues?.within ?? {};
          for (const id of [...expected.keys()]) {
            const [of = '', , timeMs = ''] = id.split('\n');
            if (of === urn && isWithin(within, Number(timeMs))) expected.delete(id);
          }
        }
        expect(store.state).toEqual([...expected].toSorted());
      }),
    );
  });

  it('changes nothing when its last writes are repeated', () => {
    fc.assert(
      fc.property(logs, fc.uniqueArray(times, { minLength: 1 }), (log, moments) => {
        const store = new Store();
        const last = moments.map((timeMs) => timeseriesValue(A, timeMs, '3'));
        store.apply([...log, ...last]);
        const again = store.apply(last);
        expect([again.changes, again.timeseriesValues]).toEqual([[], []]);
      }),
    );
  });
});
