import { InvalidRequestError } from '@stratalog/domain';
import { isJsonObject } from '@stratalog/json';
import type { CallScope } from '../call-scope';
import { AspectPart, EntityRef } from '../fields/values';
import { propose, requireExisting, requireTypes } from './propose';

const ASPECT = 'structuredProperties';
const TYPE = 'structuredProperty';

export interface SentProperties {
  readonly assetUrn: string;
  readonly structuredPropertyInputParams: readonly {
    readonly structuredPropertyUrn: string;
    readonly values: readonly {
      readonly stringValue?: string | null;
      readonly numberValue?: number | null;
    }[];
  }[];
}

/** Sets structured properties of an entity; the others stay. **Errors**: those of the proposal; also for what does not exist. */
export async function upsertProperties(
  scope: CallScope,
  { assetUrn, structuredPropertyInputParams: sent }: SentProperties,
): Promise<AspectPart> {
  await requireExisting(scope, [assetUrn]);
  await requireExisting(
    scope,
    sent.map(({ structuredPropertyUrn }) => structuredPropertyUrn),
    TYPE,
  );
  const lastModified = { time: scope.deps.clock.now(), actor: scope.actor };
  const operations = sent.map(({ structuredPropertyUrn, values }) => ({
    op: 'add' as const,
    steps: ['properties', structuredPropertyUrn],
    value: {
      propertyUrn: structuredPropertyUrn,
      values: values.map(({ stringValue, numberValue }) => {
        if (typeof stringValue === 'string') return { string: stringValue };
        if (typeof numberValue === 'number') return { double: numberValue };
        throw new InvalidRequestError(
          'input/structuredPropertyInputParams: a value has a stringValue or a numberValue',
        );
      }),
      lastModified,
    },
  }));
  await propose(scope, [{ urn: assetUrn, aspectName: ASPECT, operations }]);
  return readProperties(scope, assetUrn);
}

/** Removes structured properties of an entity. **Errors**: those of {@link upsertProperties}. */
export async function removeProperties(
  scope: CallScope,
  {
    assetUrn,
    structuredPropertyUrns,
  }: { readonly assetUrn: string; readonly structuredPropertyUrns: readonly string[] },
): Promise<AspectPart> {
  await requireExisting(scope, [assetUrn]);
  requireTypes(structuredPropertyUrns, TYPE);
  const operations = structuredPropertyUrns.map((urn) => ({
    op: 'remove' as const,
    steps: ['properties', urn],
  }));
  await propose(scope, [{ urn: assetUrn, aspectName: ASPECT, operations }]);
  return readProperties(scope, assetUrn);
}

async function readProperties({ loader }: CallScope, urn: string): Promise<AspectPart> {
  const value = await loader.aspect(urn, ASPECT);
  return new AspectPart(new EntityRef(urn), isJsonObject(value) ? value : { properties: [] });
}
