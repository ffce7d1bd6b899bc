import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import { requireEntityType, type EntityRegistry, type EntityType } from '@stratalog/registry';
import { findMember, rejectUnknown } from '../members';
import type { FaultPlace } from '../../fault-place';
import { MAX_ACTION_VALUES, MAX_NOTE_CHARACTERS } from '../../limits';
import { readValue } from '../../operators/operand';
import { resolvePath } from '../../paths/resolve-path';
import { show } from '../../show';
import type { OwnerRole } from './owner-elements';

const OWNERSHIP_TYPE = 'ownershipType';
/** The symbol of a role that an ownership type defines. */
const CUSTOM = 'CUSTOM';

interface Param {
  readonly sent: JsonValue;
  readonly place: FaultPlace;
}

/** The parameters of an action. They stand in the action, or together in its `params`. */
export class ActionParams {
  private readonly sources: readonly { readonly from: JsonObject; readonly at: FaultPlace }[];

  constructor(
    private readonly registry: EntityRegistry,
    /** Entity types of the test. */
    private readonly types: readonly EntityType[],
    action: JsonObject,
    private readonly place: FaultPlace,
  ) {
    const { params } = action;
    const at = place.at('params');
    if (params !== undefined && !isJsonObject(params)) at.fault('is no object');
    this.sources = [{ from: action, at: place }, ...(isJsonObject(params) ? [{ from: params, at }] : [])];
  }

  /** Reports parameters that the action does not have, and those that it has twice. */
  check(known: readonly string[], own: readonly string[]): void {
    for (const { from, at } of this.sources) {
      rejectUnknown(from, at === this.place ? [...known, ...own] : known, at);
    }
    const [first, second] = this.sources;
    for (const name of known) {
      if (first?.from[name] === undefined || second?.from[name] === undefined) continue;
      second.at.at(name).fault('is in params too; one of them is enough');
    }
  }

  has(name: string): boolean {
    return this.find([name]) !== undefined;
  }

  /** Reads urns of entities of these types. */
  readUrns(names: readonly string[], types: readonly string[]): readonly string[] {
    return this.readList(names).flatMap((param) => this.toUrn(param, types) ?? []);
  }

  /** Reads one urn of an entity of these types; `undefined`: of any type. */
  readUrn(names: readonly string[], types: readonly string[] | undefined): string | undefined {
    const [first, second] = this.readList(names);
    second?.place.fault('is one too many; the action takes one');
    return first === undefined ? undefined : this.toUrn(first, types);
  }

  /** Reads the role of owners: a symbol of the model, or the urn of an ownership type. */
  readRole(names: readonly string[]): OwnerRole | undefined {
    const param = this.find(names);
    const [first, second] = param === undefined ? [] : listValues(param);
    if (first === undefined) return undefined;
    second?.place.fault('is one too many; the action takes one');
    if (typeof first.sent === 'string' && first.sent.startsWith('urn:')) {
      const typeUrn = this.toUrn(first, [OWNERSHIP_TYPE]);
      return typeUrn === undefined ? undefined : { type: CUSTOM, typeUrn };
    }
    const start = { kind: 'entity', types: this.types, references: 0 } as const;
    const resolved = resolvePath(this.registry, 'ownership.owners.type', start);
    // Of an entity without owners the type of the action is at fault.
    if ('fault' in resolved) return undefined;
    const read = readValue(first.sent, 'enum', resolved.end);
    if ('value' in read) return { type: String(read.value) };
    first.place.fault(read.fault);
    return undefined;
  }

  /** Reads texts and numbers in the form in which the model has values of structured properties. */
  readPropertyValues(names: readonly string[]): JsonValue[] {
    return this.readList(names).flatMap(({ sent, place }): JsonValue[] => {
      if (typeof sent === 'string') return [{ string: sent }];
      if (typeof sent === 'number') return [{ double: sent }];
      place.fault(`is neither a text nor a number: ${show(sent)}`);
      return [];
    });
  }

  readText(name: string): string | undefined {
    const param = this.find([name]);
    if (param === undefined) return undefined;
    if (typeof param.sent !== 'string') param.place.fault(`is no text: ${show(param.sent)}`);
    else if (param.sent.length > MAX_NOTE_CHARACTERS) {
      param.place.fault(`is longer than ${String(MAX_NOTE_CHARACTERS)} characters`);
    } else return param.sent;
    return undefined;
  }

  /** Reads a time. **Units**: epoch ms. */
  readTime(name: string): number | undefined {
    const param = this.find([name]);
    if (param === undefined) return undefined;
    if (Number.isSafeInteger(param.sent) && Number(param.sent) >= 0) return Number(param.sent);
    param.place.fault(`is no time in epoch milliseconds: ${show(param.sent)}`);
    return undefined;
  }

  private readList(names: readonly string[]): readonly Param[] {
    const param = this.find(names);
    const [name = ''] = names;
    if (param === undefined) {
      this.place.at(name).fault('is missing');
      return [];
    }
    const values = listValues(param);
    if (values.length === 0) param.place.fault('is an empty list');
    if (values.length <= MAX_ACTION_VALUES) return values;
    param.place.fault(`has more than ${String(MAX_ACTION_VALUES)} values`);
    return [];
  }

  private find(names: readonly string[]): Param | undefined {
    for (const { from, at } of this.sources) {
      const name = findMember(from, names, at);
      const sent = name === undefined ? undefined : from[name];
      if (name !== undefined && sent !== undefined) return { sent, place: at.at(name) };
    }
    return undefined;
  }

  private toUrn({ sent, place }: Param, types: readonly string[] | undefined): string | undefined {
    if (typeof sent !== 'string') {
      place.fault(`is no urn: ${show(sent)}`);
      return;
    }
    const known = requireEntityType(this.registry, sent);
    if ('fault' in known) {
      place.fault(`is no urn of the model: ${show(sent)}: ${known.fault}`);
      return;
    }
    const { name } = known.entityType;
    if (types === undefined || types.includes(name)) return sent;
    place.fault(`is a urn of ${name}, and the action takes urns of ${types.join(' and ')}`);
    return;
  }
}

function listValues({ sent, place }: Param): readonly Param[] {
  if (!Array.isArray(sent)) return [{ sent, place }];
  return sent.map((element, index) => ({ sent: element, place: place.at(index) }));
}
