import { valueAt } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import { EntityRef } from './values';

/** More than people nest, and an end for those that contain themselves. */
const MAX_PARENTS = 20;

/** Where an entity names its parent; the parents of parents may be of another type. */
interface ParentPlace {
  readonly aspectName: string;
  readonly member: string;
}

/** Lists the parents of an entity, the nearest first. */
export async function listParents(
  { loader }: CallScope,
  { urn }: EntityRef,
  place: ParentPlace,
  further = place,
): Promise<readonly EntityRef[]> {
  const parents: EntityRef[] = [];
  let [child, named] = [urn, place];
  while (parents.length < MAX_PARENTS) {
    const parent = valueAt(await loader.aspect(child, named.aspectName), [named.member]);
    if (typeof parent !== 'string') break;
    parents.push(new EntityRef(parent));
    [child, named] = [parent, further];
  }
  return parents;
}
