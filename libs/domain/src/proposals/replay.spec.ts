import { describe, expect, it } from '@jest/globals';
import { asReplay, formatDeadLetterId, parseDeadLetterId, replayIn } from './replay';
import { parsePreconditions } from './preconditions';
import type { Proposal } from './proposal';

const PROPOSAL: Proposal = {
  entityType: 'tag',
  urn: 'urn:li:tag:a',
  aspectName: 'status',
  changeType: 'UPSERT',
  actor: 'urn:li:corpuser:producer',
};
const LETTER = { log: 'a-B_9', partition: 3, offset: 17 };

describe('the id of a dead letter', () => {
  it.each([
    [{ ...LETTER, log: '' }, '3.17'],
    [LETTER, '3.17.a-B_9'],
  ])('%j is %s', (letter, id) => {
    expect(formatDeadLetterId(letter)).toBe(id);
    expect(parseDeadLetterId(id)).toEqual(letter);
  });

  it.each(['', '3', '3.', '3.17.', '-1.2', '3.17.a b', '1e3.1', 'x.y'])('is not %j', (text) => {
    expect(parseDeadLetterId(text)).toBeUndefined();
  });
});

describe('a replay', () => {
  it('names its letter and who asked for it, in a proposal and in a batch', () => {
    const replay = { letter: LETTER, actor: 'urn:li:corpuser:of two words' };
    expect(replayIn(asReplay(PROPOSAL, replay))).toEqual(replay);
    expect(replayIn(asReplay({ proposals: [PROPOSAL, PROPOSAL] }, replay))).toEqual(replay);
    expect(replayIn(asReplay(PROPOSAL, { letter: LETTER }))).toEqual({ letter: LETTER });
  });

  it('keeps the conditions of its proposal, and adds none', () => {
    const { headers } = asReplay({ ...PROPOSAL, headers: { 'If-Version-Match': '3' } }, { letter: LETTER });
    expect(parsePreconditions(headers)).toEqual({ preconditions: { version: 3 } });
  });

  it('is no other record', () => {
    expect(replayIn(PROPOSAL)).toBeUndefined();
    expect(replayIn({ ...PROPOSAL, headers: { 'Replays-Dead-Letter': 'x' } })).toBeUndefined();
  });
});
