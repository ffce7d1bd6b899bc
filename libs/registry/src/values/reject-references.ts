import { parseJson } from '@stratalog/json';
import type { WrongReference } from '../check/check-run';
import type { AspectType, EntityRegistry } from '../model/entity-registry';
import { checkAspect } from './check-aspect';

/**
 * Returns the rejection of a value for its wrong references; `undefined` when the stored value has all of them, which
 * earlier models accepted.
 */
export type RejectReferences = (stored: string | undefined) => string | undefined;

export function rejectReferences(
  registry: EntityRegistry,
  aspect: AspectType,
  wrong: readonly WrongReference[],
): RejectReferences {
  return (stored) => {
    const before = stored === undefined ? undefined : checkAspect(registry, aspect, parseJson(stored));
    const known = new Set(
      before !== undefined && 'text' in before ? before.wrongReferences.map(({ urn }) => urn) : [],
    );
    const added = wrong.filter(({ urn }) => !known.has(urn)).slice(0, MAX_TOLD);
    return added.length === 0 ? undefined : formatFaults(aspect, added);
  };
}

/** More would tell the caller nothing new. */
const MAX_TOLD = 5;

/** Formats the faults of a value in the reference's wording. */
export function formatFaults(
  { recordName }: Pick<AspectType, 'recordName'>,
  faults: readonly { readonly path: string; readonly reason: string }[],
): string {
  const lines = faults.map(({ path, reason }) => `ERROR :: ${path} :: ${reason}`).join('\n');
  return `Failed to validate record with class ${recordName}: ${lines}`;
}
