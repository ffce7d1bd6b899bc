import { randomUUID } from 'node:crypto';
import { InvalidRequestError } from '@stratalog/domain';
import { valueAt, type JsonOutputObject } from '@stratalog/json';
import { columnUrn } from '@stratalog/registry';
import type { CallScope } from '../call-scope';
import { EntityRef } from '../fields/values';
import { propose, requireExisting } from './propose';

type Entries = readonly { readonly key: string; readonly value?: string | null }[] | null;
type Whole = number | bigint | null;

export interface SentOperation {
  readonly urn: string;
  readonly operationType: string;
  readonly customOperationType?: string | null;
  readonly sourceType: string;
  readonly customProperties?: Entries;
  readonly partition?: string | null;
  readonly numAffectedRows?: Whole;
  readonly timestampMillis?: Whole;
}

/** Reports that a dataset was changed. **Errors**: those of the proposal; also for a dataset that does not exist. */
export async function reportOperation(
  scope: CallScope,
  { urn, customProperties, partition, timestampMillis, ...sent }: SentOperation,
): Promise<true> {
  await requireExisting(scope, [urn]);
  const now = timestampMillis ?? scope.deps.clock.now();
  const value = {
    timestampMillis: now,
    lastUpdatedTimestamp: now,
    actor: scope.actor,
    operationType: sent.operationType,
    customOperationType: sent.customOperationType ?? undefined,
    sourceType: sent.sourceType,
    numAffectedRows: sent.numAffectedRows ?? undefined,
    customProperties: toMap(customProperties),
    ...(typeof partition === 'string' ? { partitionSpec: { type: 'PARTITION', partition } } : {}),
  };
  return propose(scope, [{ urn, aspectName: 'operation', value }]);
}

interface SentParameter {
  readonly value: string;
  readonly type: string;
}

interface SentParameters {
  readonly value?: SentParameter | null;
  readonly minValue?: SentParameter | null;
  readonly maxValue?: SentParameter | null;
}

export interface SentAssertion {
  readonly entityUrn: string;
  readonly type: string;
  readonly description: string;
  readonly fieldPath?: string | null;
  readonly fieldPaths?: readonly string[] | null;
  readonly platform: { readonly urn?: string | null; readonly name?: string | null };
  readonly externalUrl?: string | null;
  readonly logic?: string | null;
  readonly scope?: string | null;
  readonly aggregation?: string | null;
  readonly operator?: string | null;
  readonly parameters?: SentParameters | null;
  readonly nativeType?: string | null;
  readonly nativeParameters?: Entries;
}

/** Writes a check that another system runs. **Errors**: those of the proposals; also for an entity that does not exist. */
export async function upsertCustomAssertion(
  scope: CallScope,
  sentUrn: string | null | undefined,
  sent: SentAssertion,
): Promise<EntityRef> {
  const { urnNamespace } = scope.deps.registry;
  const { entityUrn, platform } = sent;
  await requireExisting(scope, [entityUrn]);
  const named =
    platform.urn ??
    (typeof platform.name === 'string' ? `urn:${urnNamespace}:dataPlatform:${platform.name}` : undefined);
  if (named === undefined) throw new InvalidRequestError('input/platform: has neither urn nor name');
  const urn = sentUrn ?? `urn:${urnNamespace}:assertion:${randomUUID()}`;
  const stamp = { time: scope.deps.clock.now(), actor: scope.actor };
  const paths = sent.fieldPaths ?? (typeof sent.fieldPath === 'string' ? [sent.fieldPath] : []);
  const columns = paths.map((path) => columnUrn(entityUrn, path));
  const info = {
    type: 'CUSTOM',
    customProperties: {},
    description: sent.description,
    externalUrl: sent.externalUrl ?? undefined,
    source: { type: 'EXTERNAL', created: stamp },
    lastUpdated: stamp,
    entityUrn,
    customAssertion: {
      type: sent.type,
      entity: entityUrn,
      field: columns[0],
      ...(columns.length === 0 ? {} : { fields: columns }),
      scope: sent.scope ?? undefined,
      aggregation: sent.aggregation ?? undefined,
      operator: sent.operator ?? undefined,
      parameters: toParameters(sent.parameters),
      nativeType: sent.nativeType ?? undefined,
      nativeParameters: toMap(sent.nativeParameters),
      logic: sent.logic ?? undefined,
    },
  };
  await propose(scope, [
    { urn, aspectName: 'assertionInfo', value: info },
    { urn, aspectName: 'dataPlatformInstance', value: { platform: named } },
  ]);
  return new EntityRef(urn);
}

function toParameters(sent: SentParameters | null | undefined): JsonOutputObject | undefined {
  if (sent === undefined || sent === null) return undefined;
  const { value, minValue, maxValue } = sent;
  const shown = (parameter: SentParameter | null | undefined): JsonOutputObject | undefined =>
    parameter === null || parameter === undefined
      ? undefined
      : { value: parameter.value, type: parameter.type };
  return { value: shown(value), minValue: shown(minValue), maxValue: shown(maxValue) };
}

export interface SentResult {
  readonly timestampMillis?: Whole;
  readonly type: string;
  readonly properties?: Entries;
  readonly externalUrl?: string | null;
  readonly error?: { readonly type: string; readonly message: string } | null;
  readonly severity?: string | null;
}

/** The places at which the kinds of checks name what they are about. */
const CHECKED = [['entityUrn'], ['customAssertion', 'entity'], ['datasetAssertion', 'dataset']] as const;
const OF_KINDS = ['freshness', 'volume', 'sql', 'field', 'schema'].map((kind) => [
  `${kind}Assertion`,
  'entity',
]);

/** Reports a run of a check. **Errors**: those of the proposal; also for a check that does not exist. */
export async function reportAssertionResult(scope: CallScope, urn: string, sent: SentResult): Promise<true> {
  await requireExisting(scope, [urn], 'assertion');
  const info = await scope.loader.aspect(urn, 'assertionInfo');
  const asserteeUrn = [...CHECKED, ...OF_KINDS]
    .map((path) => valueAt(info, path))
    .find((each) => typeof each === 'string');
  if (asserteeUrn === undefined)
    throw new InvalidRequestError(`${urn.slice(0, 600)} names no entity that it checks`);
  const now = sent.timestampMillis ?? scope.deps.clock.now();
  const error = sent.error ?? undefined;
  const value = {
    timestampMillis: now,
    runId: String(now),
    assertionUrn: urn,
    asserteeUrn,
    status: 'COMPLETE',
    result: {
      type: sent.type,
      nativeResults: toMap(sent.properties),
      externalUrl: sent.externalUrl ?? undefined,
      severity: sent.severity ?? undefined,
      ...(error === undefined ? {} : { error: { type: error.type, properties: { message: error.message } } }),
    },
  };
  return propose(scope, [{ urn, aspectName: 'assertionRunEvent', value }]);
}

function toMap(entries: Entries | undefined): JsonOutputObject | undefined {
  if (entries === undefined || entries === null) return undefined;
  return Object.fromEntries(entries.map(({ key, value }) => [key, value ?? '']));
}
