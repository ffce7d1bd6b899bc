import type { JsonValue } from '@stratalog/json';
import type { EntityRegistry } from '@stratalog/registry';
import type { Position } from '../paths/position';
import { resolvePath, type ResolvedPath } from '../paths/resolve-path';
import type { FaultPlace } from '../fault-place';

/** Reads and resolves the path of a property. */
export function readPath(
  registry: EntityRegistry,
  sent: JsonValue | undefined,
  { start, place }: { readonly start: Position; readonly place: FaultPlace },
): ResolvedPath | undefined {
  if (typeof sent !== 'string') {
    place.fault('is no path such as ownership.owners.owner');
    return;
  }
  const resolved = resolvePath(registry, sent, start);
  if (!('fault' in resolved)) return resolved;
  place.fault(resolved.fault);
  return;
}
