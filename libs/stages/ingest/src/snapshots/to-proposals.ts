import {
  InvalidProposalError,
  nearestName,
  unescapeUrn,
  type ReportUnknown,
  type Proposal,
  type SystemMetadata,
} from '@stratalog/domain';
import { isJsonObject, type JsonObject, type JsonValue, type Steps } from '@stratalog/json';
import { MAX_BATCH_ELEMENTS } from '@stratalog/http';
import {
  checkAspectInSteps,
  requireEntityType,
  reportUnknownFields,
  type AspectType,
  type EntityRegistry,
  type SnapshotType,
} from '@stratalog/registry';

export interface SnapshotContext {
  readonly actor: string;
  readonly systemMetadata: SystemMetadata;
  readonly report: ReportUnknown;
  /** Path of the entity in the request: `entity`, or `entities/3`. */
  readonly place: string;
  /** Throws, given the path of a member and the fault of its form. */
  readonly reject: (path: string, reason: string) => never;
  /** The large parts of the request, which are checked in steps. */
  readonly large: ReadonlySet<JsonValue>;
}

/**
 * Converts a legacy snapshot to proposals: one `UPSERT` for each of its aspects, in order. A snapshot without aspects
 * becomes an `UPSERT` of the key aspect, which creates the entity.
 *
 * **Shape**: `entity` is `{value: {<snapshot record>: {urn, aspects: [{<aspect record>: <fields>}]}}}`. A record name
 * may be the full name, its last part, or the name of Avro-based producers; for aspects also a name in a wrong
 * package. The content of a key aspect is ignored, because the urn determines it.
 *
 * **Errors**: those of `reject`, for a member that is missing or of the wrong type; `InvalidProposalError` with path
 * and reason when the model does not allow a value.
 *
 * **Source**: `docs/wire-decisions.md`, Writing.
 */
export function* toProposals(
  registry: EntityRegistry,
  entity: JsonValue,
  context: SnapshotContext,
): Steps<readonly [Proposal, ...Proposal[]]> {
  const { place, reject, report, actor, systemMetadata } = context;
  const { path, name, fields } = readOnlyMember(
    objectAt(entity, place, reject).value,
    `${place}/value`,
    reject,
  );
  const snapshot = registry.snapshotNamed(name);
  if (snapshot === undefined)
    throw toValidationError('Entity', [
      [path, `is no snapshot of the model${suggestRecord(name, snapshotRecords(registry))}`],
    ]);
  for (const member of Object.keys(fields)) {
    if (!SNAPSHOT_MEMBERS.includes(member)) report(`/${path}/`, member, SNAPSHOT_MEMBERS);
  }
  const urn = checkUrn(registry, snapshot, { path, fields, reject });
  const { entityType, keyText } = urn;
  const toProposal = (aspectName: string, value: string, isChecked = true): Proposal => ({
    entityType: entityType.name,
    urn: urn.text,
    aspectName,
    changeType: 'UPSERT',
    value,
    systemMetadata,
    actor,
    ...(isChecked ? { checkedBy: registry.fingerprint } : {}),
  });
  const { aspects } = fields;
  if (aspects === undefined || aspects === null) return reject(`${path}/aspects`, 'is required');
  if (!Array.isArray(aspects)) return reject(`${path}/aspects`, 'is not a list');
  if (aspects.length > MAX_BATCH_ELEMENTS) {
    return reject(
      `${path}/aspects`,
      `has ${String(aspects.length)} elements; at most ${String(MAX_BATCH_ELEMENTS)} are taken at once`,
    );
  }
  const proposals: Proposal[] = [];
  for (const [at, each] of aspects.entries()) {
    const member = readOnlyMember(each, `${path}/aspects/${String(at)}`, reject);
    const { aspect, text, isChecked } = yield* checkSnapshotAspect(registry, snapshot, member, context);
    proposals.push(toProposal(aspect.name, aspect.isKey ? keyText : text, isChecked));
    yield;
  }
  const [first, ...others] = proposals;
  return first === undefined ? [toProposal(entityType.keyAspect.name, keyText)] : [first, ...others];
}

const SNAPSHOT_MEMBERS: readonly string[] = ['urn', 'aspects'];

type Reject = SnapshotContext['reject'];

/** The one member of a union, with its path. */
interface Member {
  readonly path: string;
  readonly name: string;
  readonly fields: JsonObject;
}

function readOnlyMember(union: JsonValue | undefined, place: string, reject: Reject): Member {
  const names = Object.keys(objectAt(union, place, reject));
  const [name] = names;
  if (name === undefined || names.length > 1) {
    return reject(place, `must have exactly one member, the name of a record, not ${String(names.length)}`);
  }
  const path = `${place}/${name.slice(0, MAX_NAME).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return { path, name, fields: objectAt((union as JsonObject)[name], path, reject) };
}

/** No record has a longer name; the limit keeps messages short whatever the client sent. */
const MAX_NAME = 200;

function objectAt(value: JsonValue | undefined, path: string, reject: Reject): JsonObject {
  if (value === undefined || value === null) return reject(path, 'is required');
  return isJsonObject(value) ? value : reject(path, 'is not an object');
}

function checkUrn(
  registry: EntityRegistry,
  { recordName, entityType }: SnapshotType,
  { path, fields, reject }: Omit<Member, 'name'> & { readonly reject: Reject },
) {
  const { urn } = fields;
  if (urn === undefined || urn === null) return reject(`${path}/urn`, 'is required');
  if (typeof urn !== 'string') return reject(`${path}/urn`, 'is not a string');
  const text = unescapeUrn(urn);
  const entity = requireEntityType(registry, text);
  if ('fault' in entity)
    throw toValidationError(recordName, [[`${path}/urn`, `Invalid urn ${text}: ${entity.fault}`]]);
  if (entity.entityType !== entityType) {
    const { name } = entity.entityType;
    throw toValidationError(recordName, [
      [`${path}/urn`, `is the urn of a ${name}, not of a ${entityType.name}`],
    ]);
  }
  return { text, entityType, keyText: entity.keyText };
}

function* checkSnapshotAspect(
  registry: EntityRegistry,
  snapshot: SnapshotType,
  { path, name, fields }: Member,
  { large, report }: Pick<SnapshotContext, 'large' | 'report'>,
): Steps<{ readonly aspect: AspectType; readonly text: string; readonly isChecked: boolean }> {
  const { recordName } = snapshot;
  const aspect = findAspect(registry, snapshot, name);
  if (aspect === undefined) {
    const near = suggestRecord(name, snapshot.aspects.keys());
    throw toValidationError(recordName, [[path, `is no aspect of the snapshot${near}`]]);
  }
  if (aspect.isKey) return { aspect, text: '', isChecked: true };
  const check = yield* checkAspectInSteps(registry, aspect, { value: fields, large });
  if ('text' in check) {
    if (check.hasUnknown) yield* reportUnknownFields(aspect.record, fields, report, `/${path}`);
    // The writer compares wrong references with the stored ones.
    return { aspect, text: check.text, isChecked: check.wrongReferences.length === 0 };
  }
  throw toValidationError(
    recordName,
    check.faults.map((fault) => [path + fault.path, fault.reason]),
  );
}

/**
 * Documented calls name some records in packages where the model does not have them
 * (`com.linkedin.dashboard.TagProperties`). The last part then identifies the aspect, unless the model has another
 * type of that full name.
 */
function findAspect(
  { types }: EntityRegistry,
  { aspectsByEveryName }: SnapshotType,
  name: string,
): AspectType | undefined {
  const known = aspectsByEveryName.get(name);
  if (known !== undefined || types.some((type) => type.name === name)) return known;
  return aspectsByEveryName.get(lastPartOf(name));
}

/** Formats the end of a rejection of a record name. Packages are long and alike, so it compares the last parts. */
function suggestRecord(name: string, known: Iterable<string>): string {
  const byLastPart = new Map([...known].map((each) => [lastPartOf(each), each]));
  const near = nearestName(lastPartOf(name), byLastPart.keys());
  return near === undefined ? '' : `; did you mean ${byLastPart.get(near) ?? near}?`;
}

function lastPartOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function snapshotRecords({ snapshots }: EntityRegistry): readonly string[] {
  return [...snapshots.values()].map(({ recordName }) => recordName);
}

function toValidationError(
  recordName: string,
  faults: readonly (readonly [path: string, reason: string])[],
): InvalidProposalError {
  const lines = faults.map(([path, reason]) => `ERROR :: /${path} :: ${reason}`);
  return new InvalidProposalError(`Failed to validate record with class ${recordName}: ${lines.join('\n')}`);
}
