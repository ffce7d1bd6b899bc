import { describe, expect, it } from '@jest/globals';
import { parsePreconditions, whileAlive, type Proposal, type ProposalEntry } from '@stratalog/domain';
import { allSteps } from '@stratalog/json';
import { proposalIn as decode, toProposalRecord as encode, type RecordOrigin } from './proposal-record';

const ORIGIN = { unknownActor: 'urn:li:corpuser:UNKNOWN', loggedMs: 7 };
const REMOVAL: Proposal = {
  entityType: 'dataset',
  urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)',
  aspectName: 'datasetProfile',
  changeType: 'DELETE',
  systemMetadata: { lastObserved: 7, runId: 'r' },
  actor: 'urn:li:corpuser:x',
};

const proposalIn = (bytes: Buffer, origin: RecordOrigin) => allSteps(decode(bytes, origin));
const toProposalRecord = (entry: ProposalEntry) => allSteps(encode(entry));

describe('A proposal that deletes timeseries values', () => {
  it.each([{ startMs: 0, endMs: 1_700_000_000_000 }, { endMs: 5 }, { startMs: 6 }, undefined])(
    'is decoded with its time range: %j',
    (timestamps) => {
      const proposal = timestamps === undefined ? REMOVAL : { ...REMOVAL, timestamps };
      const { value } = toProposalRecord(proposal);
      const own = proposalIn(value, { ...ORIGIN, actor: REMOVAL.actor });
      expect(own).toEqual({ kind: 'decoded', value: proposal });
      // The same record from another program has the same meaning.
      const foreign = proposalIn(value, { ...ORIGIN, actor: undefined });
      expect(foreign).toEqual({ kind: 'decoded', value: { ...proposal, actor: ORIGIN.unknownActor } });
    },
  );

  it('is undecodable when its time range is invalid, so that it does not delete everything', () => {
    const { value } = toProposalRecord({ ...REMOVAL, headers: { 'End-Time-Millis': 'soon' } });
    for (const actor of [REMOVAL.actor, undefined]) {
      expect(proposalIn(value, { ...ORIGIN, actor })).toMatchObject({
        kind: 'undecodable',
        reason: expect.stringContaining('"soon" is not a time in epoch milliseconds'),
      });
    }
  });
});

describe('A proposal of the catalog itself', () => {
  it('carries the life of its entity, which no other program can name', () => {
    const headers = { 'If-Version-Match': '-1', ...whileAlive(3) };
    const proposal: Proposal = { ...REMOVAL, changeType: 'UPSERT', value: '{}', headers };
    const { value } = toProposalRecord(proposal);
    const own = proposalIn(value, { ...ORIGIN, actor: REMOVAL.actor });
    expect(own).toEqual({ kind: 'decoded', value: proposal });
    expect(parsePreconditions(headers)).toEqual({ preconditions: { version: -1, keyVersion: 3 } });
    expect(proposalIn(value, { ...ORIGIN, actor: undefined })).toEqual({
      kind: 'decoded',
      value: { ...proposal, headers: { 'If-Version-Match': '-1' }, actor: ORIGIN.unknownActor },
    });
  });
});

describe('A batch of proposals', () => {
  const proposals = [REMOVAL, { ...REMOVAL, changeType: 'UPSERT', value: '{"a":"ü"}' }] as const;

  it('is decoded unchanged', () => {
    const { value } = toProposalRecord({ proposals });
    expect(proposalIn(value, { ...ORIGIN, actor: REMOVAL.actor })).toEqual({
      kind: 'decoded',
      value: { proposals },
    });
  });

  it('may have several actors, which only the catalog names', () => {
    const other = { ...REMOVAL, actor: 'urn:li:corpuser:y' };
    const batch = { proposals: [REMOVAL, other, REMOVAL] } as const;
    const own = { ...ORIGIN, actor: REMOVAL.actor };
    const decoded = proposalIn(toProposalRecord(batch).value, own);
    expect(decoded).toEqual({ kind: 'decoded', value: batch });
    const members = JSON.parse(toProposalRecord(REMOVAL).value.toString()) as object;
    const named = Buffer.from(JSON.stringify({ ...members, actor: other.actor }));
    expect(proposalIn(named, { ...ORIGIN, actor: undefined })).toEqual({
      kind: 'decoded',
      value: { ...REMOVAL, actor: ORIGIN.unknownActor },
    });
  });

  it('is decoded in steps, and may have more values than a request', () => {
    const many = Array.from({ length: 100_000 }, () => REMOVAL);
    const { value } = toProposalRecord({ proposals: [REMOVAL, ...many] });
    const steps = decode(value, { ...ORIGIN, actor: REMOVAL.actor });
    let count = 0;
    let next = steps.next();
    for (; next.done !== true; next = steps.next()) count++;
    expect(count).toBeGreaterThan(many.length);
    expect(next.value.kind).toBe('decoded');
  });
});

describe('A record that another program has written', () => {
  it.each([undefined, 'urn:li:corpuser:forged'])(
    'is undecodable when it has more values than a request may have, whatever actor its headers name: %s',
    (actor) => {
      const value = Buffer.from(`{"entityType":"dataset","x":[${'0,'.repeat(1_000_000)}0]}`);
      expect(proposalIn(value, { ...ORIGIN, actor })).toMatchObject({
        kind: 'undecodable',
        reason: expect.stringContaining('more than 1000000 values'),
      });
    },
  );
});
