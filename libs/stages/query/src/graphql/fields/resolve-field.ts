import { findPlatform, parseUrn } from '@stratalog/domain';
import { valueAt, type JsonValue } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import type { FieldPlan } from './plan-fields';
import { AspectPart, EntityRef } from './values';

/** The platform of what names none. */
const NO_PLATFORM = 'unknown';
const INSTANCE = 'dataPlatformInstance';

/** Resolves a field by its plan, from the entity or the part of an aspect that encloses it. */
export function resolveByPlan(
  { aspectName, path, fromUrn, otherwise, isPlatform, toAnswer }: FieldPlan,
  source: unknown,
  { loader }: CallScope,
): unknown {
  const shape = (value: JsonValue | undefined, owner: EntityRef): unknown => {
    const found = value ?? fromUrn?.(owner.urn) ?? otherwise;
    return found === undefined ? undefined : toAnswer(found, owner);
  };
  if (source instanceof AspectPart) return shape(valueAt(source.value, path), source.owner);
  if (!(source instanceof EntityRef)) return (source as Readonly<Record<string, unknown>>)[path.join('.')];
  if (isPlatform) return readPlatform(source.urn, (urn) => loader.aspect(urn, INSTANCE));
  if (aspectName === undefined) return shape(undefined, source);
  return loader.aspect(source.urn, aspectName).then((aspect) => shape(valueAt(aspect, path), source));
}

/** The platform in the urn, else that of the aspect; every entity has one in GraphQL. */
function readPlatform(
  urn: string,
  readInstance: (urn: string) => Promise<JsonValue | undefined>,
): EntityRef | Promise<EntityRef> {
  const parsed = parseUrn(urn);
  const namespace = 'urn' in parsed ? parsed.urn.namespace : 'li';
  const toRef = (name: string): EntityRef => new EntityRef(`urn:${namespace}:dataPlatform:${name}`);
  const inUrn = findPlatform(urn);
  if (inUrn !== undefined) return toRef(inUrn);
  return readInstance(urn).then((instance) => {
    const platform = valueAt(instance, ['platform']);
    return typeof platform === 'string' ? new EntityRef(platform) : toRef(NO_PLATFORM);
  });
}
