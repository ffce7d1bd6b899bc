import { parentOfColumn, type LineageStep } from '@stratalog/domain';

/** A step of a walk. */
export interface WalkedStep extends LineageStep {
  /** The step between columns that a step between their entities stands for. */
  readonly columns?: LineageStep;
}

/** Returns the entity of a column, and any other urn unchanged. */
export function toEntity(urn: string): string {
  return parentOfColumn(urn) ?? urn;
}

/** Replaces columns by their entities. Steps within an entity are left out. */
export function collapseColumns(steps: readonly LineageStep[]): readonly WalkedStep[] {
  return steps.flatMap((step) => {
    const [near, far] = [toEntity(step.near), toEntity(step.far)];
    return near === far ? [] : [{ ...step, near, far, columns: step }];
  });
}
