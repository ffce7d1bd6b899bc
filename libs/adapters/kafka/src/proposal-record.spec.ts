import { describe, expect, it } from '@jest/globals';
import type { Proposal } from '@stratalog/model';
import { proposalIn, proposalRecordOf } from './proposal-record';

const ORIGIN = { unknownActor: 'urn:li:corpuser:UNKNOWN', loggedMs: 7 };
const REMOVAL: Proposal = {
  entityType: 'dataset',
  urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)',
  aspectName: 'datasetProfile',
  changeType: 'DELETE',
  systemMetadata: { lastObserved: 7, runId: 'r' },
  actor: 'urn:li:corpuser:x',
};

describe('A proposal that deletes points', () => {
  it.each([{ startMs: 0, endMs: 1_700_000_000_000 }, { endMs: 5 }, { startMs: 6 }, undefined])(
    'comes out of its record with its bounds: %j',
    (pointsWithin) => {
      const proposal = pointsWithin === undefined ? REMOVAL : { ...REMOVAL, pointsWithin };
      const { value } = proposalRecordOf(proposal);
      const own = proposalIn(value, { ...ORIGIN, actor: REMOVAL.actor });
      expect(own).toEqual({ kind: 'decoded', value: proposal });
      // Whoever else sends the same means the same.
      const foreign = proposalIn(value, { ...ORIGIN, actor: undefined });
      expect(foreign).toEqual({ kind: 'decoded', value: { ...proposal, actor: ORIGIN.unknownActor } });
    },
  );

  it('is parked when its bounds cannot be read, so that it does not take everything', () => {
    const { value } = proposalRecordOf({ ...REMOVAL, headers: { 'End-Time-Millis': 'soon' } });
    for (const actor of [REMOVAL.actor, undefined]) {
      expect(proposalIn(value, { ...ORIGIN, actor })).toMatchObject({
        kind: 'undecodable',
        reason: expect.stringContaining('"soon" is not a time in epoch milliseconds'),
      });
    }
  });
});
