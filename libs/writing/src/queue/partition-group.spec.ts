import { describe, expect, it } from '@jest/globals';
import type { ProposalEntry } from '@stratalog/domain';
import { PartitionGroup, takeWaiting, type WaitingProposal } from './partition-group';

function waiting(name: string, characters = 1): WaitingProposal {
  const proposal = { urn: name, value: 'x'.repeat(characters) } as unknown as ProposalEntry;
  return { proposal, partition: 0, onLogged: () => undefined, fail: () => undefined };
}

function groupOf(...items: readonly WaitingProposal[]): PartitionGroup {
  const group = new PartitionGroup();
  group.waiting.push(...items);
  return group;
}

const names = (items: readonly WaitingProposal[]): readonly string[] =>
  items.map(({ proposal }) => (proposal as unknown as { urn: string }).urn);

describe('takeWaiting', () => {
  it('takes everything within the limits, and leaves nothing', () => {
    const groups = [groupOf(waiting('a1'), waiting('a2')), groupOf(waiting('b1'))];
    const taken = takeWaiting(groups, { maxRecords: 10, maxCharacters: 100 });
    expect(names(taken)).toEqual(['a1', 'b1', 'a2']);
    expect(groups.map((group) => group.waiting)).toEqual([[], []]);
  });

  it('takes from the groups in turns, and keeps the order of each', () => {
    const groups = [groupOf(...['a1', 'a2', 'a3'].map((name) => waiting(name))), groupOf(waiting('b1'))];
    const taken = takeWaiting(groups, { maxRecords: 3, maxCharacters: 100 });
    expect(names(taken)).toEqual(['a1', 'b1', 'a2']);
    expect(groups.map((group) => names(group.waiting))).toEqual([['a3'], []]);
  });

  it('takes one proposal in any case, and no more than the characters allow', () => {
    const groups = [groupOf(waiting('a1', 50), waiting('a2', 1)), groupOf(waiting('b1', 60))];
    const limits = { maxRecords: 10, maxCharacters: 20 };
    expect(names(takeWaiting(groups, limits))).toEqual(['a1']);
    expect(names(takeWaiting(groups, limits))).toEqual(['a2']);
    expect(names(takeWaiting(groups, limits))).toEqual(['b1']);
    expect(takeWaiting(groups, limits)).toEqual([]);
  });
});
