import type { LineageNode } from '../arrange-lineage';
import type { WalkedStep } from '../collapse-columns';
import type { LineageResult } from '../read-lineage';

export type LineageChange = 'added' | 'removed';

/** How the lineage of one entity in one direction differs between two times. */
export interface LineageComparison {
  readonly nodes: readonly Changed<LineageNode>[];
  /** One step for each pair of ends. */
  readonly steps: readonly Changed<WalkedStep>[];
}

interface Changed<Value> {
  readonly change: LineageChange;
  readonly value: Value;
}

/** Compares what two reads of the same lineage found, by urns and pairs of urns. */
export function compareLineage(before: LineageResult, after: LineageResult): LineageComparison {
  return {
    nodes: compareBy(before.nodes, after.nodes, ({ urn }) => urn),
    steps: compareBy(before.steps, after.steps, ({ near, far }) => `${near} ${far}`),
  };
}

function compareBy<Value>(
  before: readonly Value[],
  after: readonly Value[],
  key: (value: Value) => string,
): readonly Changed<Value>[] {
  const former = new Map(before.map((value) => [key(value), value]));
  const current = new Map(after.map((value) => [key(value), value]));
  const only = (change: LineageChange, own: typeof former, other: typeof former): readonly Changed<Value>[] =>
    [...own].filter(([each]) => !other.has(each)).map(([, value]) => ({ change, value }));
  return [...only('removed', former, current), ...only('added', current, former)];
}
