import {
  MAX_MEMBER_FAULTS,
  PROPOSAL_HEADERS,
  readProposal,
  type ChangeType,
  type MemberFault,
  type Proposal,
  type ProposalContext,
  type ReportUnknown,
} from '@stratalog/domain';
import {
  RawJson,
  isJsonObject,
  stringifyJson,
  type JsonObject,
  type JsonOutputObject,
  type JsonValue,
  type Steps,
} from '@stratalog/json';
import { MAX_BATCH_ELEMENTS, type DefinedRoute } from '@stratalog/http';
import { reportMisspeltHeaders } from '../proposals/parse-proposal';
import { withTrace } from '../tracing/trace-id';

/** A proposal, and the place of its aspect in the body: `/0/datasetProperties`. */
export interface PlacedProposal {
  readonly proposal: Proposal;
  readonly place: string;
  /** True when the caller waits until the indices have the write. */
  readonly isIndexAwaited?: boolean;
}

interface EntitiesContext extends ProposalContext {
  readonly entityType: string;
  readonly changeType: Extract<ChangeType, 'UPSERT' | 'PATCH'>;
  readonly report: ReportUnknown;
  /** The trace that the system metadata of each proposal get. */
  readonly traceId: string;
}

/**
 * Parses the entities of a write of OpenAPI clients: a proposal for each aspect.
 *
 * **Errors**: `InvalidRequestError` with the first ten members that are missing or of the wrong type, and for more aspects than a batch
 * may have.
 */
export function* parseEntities(
  elements: readonly JsonValue[],
  context: EntitiesContext,
  { reject, rejectAll }: Pick<DefinedRoute, 'reject' | 'rejectAll'>,
): Steps<readonly PlacedProposal[]> {
  const placed: PlacedProposal[] = [];
  const faults: MemberFault[] = [];
  for (const [at, element] of elements.entries()) {
    for (const each of readElement(element, { ...context, report: within(context.report, at) })) {
      const place = `${String(at)}${each.path}`;
      if ('proposal' in each) {
        const { isIndexAwaited } = each;
        placed.push({
          proposal: withTrace(each.proposal, context.traceId),
          place: `/${place}`,
          isIndexAwaited,
        });
      } else faults.push({ path: place, reason: each.reason });
      yield;
    }
    if (faults.length >= MAX_MEMBER_FAULTS) break;
    if (placed.length > MAX_BATCH_ELEMENTS)
      reject('entities', `have more than ${String(MAX_BATCH_ELEMENTS)} aspects`);
  }
  if (faults.length > 0) rejectAll(faults.slice(0, MAX_MEMBER_FAULTS), 'entities');
  return placed;
}

type Reading = { readonly path: string } & (
  | { readonly proposal: Proposal; readonly isIndexAwaited: boolean }
  | { readonly reason: string }
);

function* readElement(element: JsonValue, context: EntitiesContext): Generator<Reading> {
  if (!isJsonObject(element)) {
    yield { path: '', reason: 'is not an object' };
    return;
  }
  const { urn, ...aspects } = element;
  if (typeof urn !== 'string') {
    yield { path: '/urn', reason: urn === undefined || urn === null ? 'is required' : 'is not a string' };
    return;
  }
  for (const [name, member] of Object.entries(aspects)) {
    // An aspect that is null is absent.
    if (member !== null) yield* readWrite({ urn, name, member }, context);
  }
}

function* readWrite(
  { urn, name, member }: { readonly urn: string; readonly name: string; readonly member: JsonValue },
  { entityType, changeType, report, ...context }: EntitiesContext,
): Generator<Reading> {
  const path = `/${name}`;
  if (!isJsonObject(member)) {
    yield { path, reason: 'is not an object' };
    return;
  }
  const { value, systemMetadata, headers } = member;
  if (!isJsonObject(value)) {
    yield {
      path: `${path}/value`,
      reason: value === undefined || value === null ? 'is required' : 'is not an object',
    };
    return;
  }
  for (const other of Object.keys(member)) if (!MEMBERS.includes(other)) report(`${path}/`, other, MEMBERS);
  reportMisspeltHeaders(member, path, report, HEADERS);
  const members: JsonObject = {
    entityType,
    entityUrn: urn,
    changeType:
      changeType === 'UPSERT' && readHeader(headers, CREATION) !== undefined ? 'CREATE' : changeType,
    aspectName: name,
    aspect: { value: stringifyJson(value) },
    ...(systemMetadata === undefined ? {} : { systemMetadata }),
    ...(headers === undefined ? {} : { headers }),
  };
  const read = readProposal(members, context);
  const isIndexAwaited = readHeader(headers, AWAIT_INDEX) === 'true';
  if ('proposal' in read) yield { path, proposal: read.proposal, isIndexAwaited };
  else yield* read.faults.map(({ path: at, reason }) => ({ path: `${path}/${at}`, reason }));
}

/** By it a client creates an aspect unless it exists: the form has no change type. */
const CREATION = 'if-none-match';
/** By it a client waits until the write is searchable; it is the mode `SYNC_WAIT` of the Python client. */
const AWAIT_INDEX = 'x-datahub-sync-index-update';

/** The members of an aspect that a write knows, and the headers. */
const MEMBERS = ['value', 'systemMetadata', 'headers'];
const HEADERS = [...PROPOSAL_HEADERS, 'If-None-Match', 'X-DataHub-Sync-Index-Update'];

function within(report: ReportUnknown, at: number): ReportUnknown {
  return (place, name, known) => {
    report(`/${String(at)}${place}`, name, known);
  };
}

/** Reads a header by its name in lower case. */
function readHeader(headers: JsonValue | undefined, wanted: string): JsonValue | undefined {
  if (headers === undefined || !isJsonObject(headers)) return undefined;
  const name = Object.keys(headers).find((each) => each.toLowerCase() === wanted);
  return name === undefined ? undefined : headers[name];
}

/** Makes the answer of a write: each urn once, with its aspects. Clients follow exactly these by the trace of the write. */
export function toAnswer(
  placed: readonly PlacedProposal[],
  withMetadata: boolean,
): readonly JsonOutputObject[] {
  const entities = new Map<string, Record<string, JsonOutputObject | string>>();
  for (const { proposal } of placed) {
    const { urn, aspectName, changeType, value, systemMetadata } = proposal;
    const entity = entities.get(urn) ?? { urn };
    entities.set(urn, entity);
    entity[aspectName] = {
      ...(value === undefined || changeType === 'PATCH' ? {} : { value: new RawJson(value) }),
      ...(withMetadata ? { systemMetadata } : {}),
    };
  }
  return [...entities.values()];
}
