import { proposalsIn, type ProposalEntry, type WriteOutcome } from '@stratalog/domain';
import type {
  Batch,
  LogPosition,
  LoggedPosition,
  LogRange,
  PartitionProgress,
  ProposalTable,
  UnloggedProposal,
} from '@stratalog/ports';
import { UrnsOfRows } from './urns-of-rows';

/** A proposal that waits for a commit. */
export interface WaitingProposal extends UnloggedProposal {
  /** Called once the proposal is applied without a row. Absent when no caller waits for the outcome. */
  readonly onApplied?: (outcome: WriteOutcome) => void;
  /** Called once the proposal is a row. */
  readonly onLogged: (position: LoggedPosition) => void;
  readonly fail: (error: unknown) => void;
}

/** Some of the partitions of the embedded log: their proposals that wait for a commit, and their offsets. */
export class PartitionGroup {
  readonly waiting: WaitingProposal[] = [];
  /** The offsets as they were last read or moved. Undefined before the first read and after a failure. */
  offsets: Map<number, PartitionProgress> | undefined;
  /** The urns of the rows that are not applied, by partition. */
  readonly urnsOfRows = new Map<number, UrnsOfRows>();

  /** Number of the rows that are not applied, as far as the offsets are known. */
  get rows(): number {
    return [...(this.offsets ?? [])].reduce(
      (sum, [, { endOffset, committedOffset }]) => sum + endOffset - committedOffset,
      0,
    );
  }
}

/** All partitions of the embedded log, in groups. */
export class PartitionGroups {
  readonly all: readonly PartitionGroup[];
  /** When the work of a partition that takes several commits last had its turn, by partition. */
  private readonly turns = new Map<number, number>();
  private lastTurn = 0;

  constructor(count: number) {
    this.all = Array.from({ length: count }, () => new PartitionGroup());
  }

  of(partition: number): PartitionGroup {
    const group = this.all[partition % this.all.length];
    if (group === undefined) throw new RangeError(`Partition ${String(partition)} has no group`);
    return group;
  }

  /** Returns the offsets of these groups, and reads those that are not known. */
  async readOffsets(
    groups: readonly PartitionGroup[],
    table: Pick<ProposalTable, 'readOffsets'>,
  ): Promise<ReadonlyMap<number, PartitionProgress>> {
    const unknown = groups.filter(({ offsets }) => offsets === undefined);
    if (unknown.length > 0) {
      const stored = await table.readOffsets();
      for (const group of unknown)
        group.offsets = new Map([...stored].filter(([partition]) => this.of(partition) === group));
    }
    return new Map(
      groups.flatMap(({ offsets }) => [...(offsets ?? [])]).sort(([a], [b]) => this.compareTurns(a, b)),
    );
  }

  /** Orders partitions that take turns: first the one whose last turn is longest ago. */
  compareTurns(one: number, other: number): number {
    return (this.turns.get(one) ?? 0) - (this.turns.get(other) ?? 0);
  }

  /** True when the last delivery left a part of the partition for the next turn. */
  takesTurns(partition: number): boolean {
    return this.turns.has(partition);
  }

  /** Ends the turn of the partitions of a batch. Those that had none of their records handled stay first. */
  endTurn({ ranges }: Batch<unknown>, handled: Batch<unknown>, rest: Batch<unknown> | undefined): void {
    const left = new Set(rest?.ranges.map(({ partition }) => partition));
    const had = new Set(handled.records.map(({ partition }) => partition));
    for (const { partition } of ranges) {
      if (!left.has(partition)) this.turns.delete(partition);
      else if (had.has(partition)) this.turns.set(partition, ++this.lastTurn);
      else this.turns.set(partition, this.turns.get(partition) ?? 0);
    }
  }

  /** True when these urns may be written before the rows of the partition are applied: they have no order with them. */
  mayPass(partition: number, urns: readonly string[]): boolean {
    const { offsets, urnsOfRows } = this.of(partition);
    const progress = offsets?.get(partition);
    if (progress === undefined) return false;
    if (progress.endOffset === progress.committedOffset) return true;
    return urnsOfRows.get(partition)?.lack(urns, progress) === true;
  }

  /** Moves the offsets past proposals that were applied. */
  applied(ranges: readonly LogRange[]): void {
    for (const { partition, to } of ranges) {
      const { offsets, urnsOfRows } = this.of(partition);
      urnsOfRows.get(partition)?.dropThrough(to);
      offsets?.set(partition, {
        endOffset: Math.max(to, offsets.get(partition)?.endOffset ?? 0),
        committedOffset: to,
      });
    }
  }

  /** Moves the end of the log past a proposal that became a row. */
  logged({ partition, offset }: LogPosition, entry: ProposalEntry): void {
    const { offsets } = this.of(partition);
    this.remember(partition, offset, entry);
    offsets?.set(partition, {
      endOffset: offset,
      committedOffset: offsets.get(partition)?.committedOffset ?? 0,
    });
  }

  /** Takes notice of rows that were read. */
  seen({ records }: Batch<ProposalEntry>): void {
    for (const { partition, offset, content } of records)
      if (content.kind === 'decoded') this.remember(partition, offset, content.value);
  }

  private remember(partition: number, offset: number, entry: ProposalEntry): void {
    const { urnsOfRows } = this.of(partition);
    const known = urnsOfRows.get(partition) ?? new UrnsOfRows();
    urnsOfRows.set(partition, known);
    known.add(offset, urnsIn(entry));
  }
}

export function urnsIn(entry: ProposalEntry): readonly string[] {
  return [...new Set(proposalsIn(entry).map(({ urn }) => urn))];
}

export function countWaiting(groups: readonly PartitionGroup[]): number {
  return groups.reduce((sum, { waiting }) => sum + waiting.length, 0);
}

/** Makes the next use of these groups read their offsets. */
export function forgetOffsets(groups: readonly PartitionGroup[]): void {
  for (const group of groups) {
    group.offsets = undefined;
    group.urnsOfRows.clear();
  }
}

/**
 * Takes the first proposals that wait in these groups: at most `maxRecords`, and no more than `maxCharacters` of values, but one in any
 * case. The groups take turns.
 */
export function takeWaiting(
  groups: readonly PartitionGroup[],
  { maxRecords, maxCharacters }: { readonly maxRecords: number; readonly maxCharacters: number },
): WaitingProposal[] {
  const longest = Math.max(...groups.map(({ waiting }) => waiting.length));
  const candidates = Array.from({ length: Math.min(longest, maxRecords) }, (_, at) =>
    groups.flatMap(({ waiting }) => waiting.slice(at, at + 1)),
  ).flat();
  let characters = 0;
  const taken: WaitingProposal[] = [];
  for (const item of candidates) {
    characters += countCharacters(item.proposal);
    if (taken.length > 0 && (taken.length >= maxRecords || characters > maxCharacters)) break;
    taken.push(item);
  }
  const isTaken = new Set(taken);
  for (const { waiting } of groups) {
    const left = waiting.findIndex((item) => !isTaken.has(item));
    waiting.splice(0, left < 0 ? waiting.length : left);
  }
  return taken;
}

/** **Units**: characters of the values. */
export function countCharacters(entry: ProposalEntry): number {
  return proposalsIn(entry).reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
}
