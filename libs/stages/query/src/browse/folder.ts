import { BROWSE_SEPARATORS, type SearchFieldType } from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';

/** One way of browsing: a search field whose values are paths. */
export interface BrowseField {
  readonly name: string;
  readonly separator: string;
}

/** Finds the field of paths of an entity type; `undefined` for a type that cannot be browsed. */
export function findBrowseField(
  { searchFields }: EntityType,
  type: SearchFieldType,
): BrowseField | undefined {
  const separator = BROWSE_SEPARATORS.get(type);
  const field = [...searchFields.values()].find((each) => each.type === type);
  return field === undefined || separator === undefined ? undefined : { name: field.name, separator };
}

/** Parses a path as clients write it: with or without a separator at its ends. The root is the empty text. */
export function parseFolder(sent: string, separator: string): string {
  return joinSteps(
    sent.split(separator).filter((step) => step !== ''),
    separator,
  );
}

export function joinSteps(steps: readonly string[], separator: string): string {
  return steps.map((step) => separator + step).join('');
}

/** Number of steps from the root to a folder. */
export function computeDepth(folder: string, separator: string): number {
  return folder.split(separator).length - 1;
}
