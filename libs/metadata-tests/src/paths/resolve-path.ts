import { didYouMean } from '@stratalog/domain';
import type { AspectType, EntityRegistry, EntityType, RelationshipPath } from '@stratalog/registry';
import { MAX_PATH_NAMES, MAX_REFERENCES } from '../limits';
import { show } from '../show';
import { positionAt, type EntityPosition, type Position, type ValuePosition } from './position';
import type { AspectPlace, PathSegment, PropertyPath, ValueStep } from './property-path';

/** The path of the element itself, within a quantifier. */
const ELEMENT = '.';
const ENTITY_TYPE = 'entityType';
const URN = 'urn';
const RELATIONSHIPS = 'relationships';
const EACH = '*';

export interface ResolvedPath {
  readonly path: PropertyPath;
  readonly end: Position | { readonly kind: 'entity-type' };
}

export type PathResolution = ResolvedPath | { readonly fault: string };

/**
 * Resolves a path by the model: `ownership.owners.owner.corpUserStatus.status` leads from a dataset through the urns of
 * its owners to an aspect of theirs.
 *
 * A backslash keeps a dot or a backslash in a name: `datasetProperties.customProperties.a\.b`.
 */
export function resolvePath(registry: EntityRegistry, text: string, start: Position): PathResolution {
  if (text === ELEMENT) return { path: { text, segments: [], isTimeseries: false }, end: start };
  const names = splitPath(text);
  if (names.length > MAX_PATH_NAMES) {
    return { fault: `has ${String(names.length)} names; at most ${String(MAX_PATH_NAMES)} are followed` };
  }
  if (names.includes('')) return { fault: `has an empty name: ${show(text)}` };
  return new Resolution(registry, text, names, start).run();
}

/** Splits at the dots that have no backslash before them. */
function splitPath(text: string): string[] {
  return (text.match(/(?:\\.|[^.\\]|\\$)+|(?<=^|\.)(?=\.|$)/gsu) ?? ['']).map((name) =>
    name.replace(/\\([.\\])/g, '$1'),
  );
}

class Resolution {
  private readonly segments: PathSegment[] = [];
  /** Number of names that are resolved. */
  private done = 0;
  private isTimeseries = false;

  constructor(
    private readonly registry: EntityRegistry,
    private readonly text: string,
    private readonly names: readonly string[],
    private at: Position | { readonly kind: 'entity-type' },
  ) {}

  run(): PathResolution {
    while (this.done < this.names.length) {
      const { at } = this;
      const fault = at.kind === 'entity-type' ? this.tooFar('a text') : this.step(at);
      if (fault !== undefined) return { fault };
    }
    const { text, segments, isTimeseries } = this;
    return { path: { text, segments, isTimeseries }, end: this.at };
  }

  private step(at: Position): string | undefined {
    return at.kind === 'entity' ? this.readEntity(at) : this.descend(at);
  }

  private next(): string | undefined {
    return this.names[this.done++];
  }

  private tooFar(what: string): string {
    const end = this.names.slice(0, this.done).join('.');
    return `goes on after ${end === '' ? 'the element' : show(end)}, which is ${what}: ${show(this.text)}`;
  }

  private readEntity(at: EntityPosition): string | undefined {
    const name = this.next() ?? '';
    if (name === URN) return undefined;
    if (name === ENTITY_TYPE) {
      this.segments.push({ kind: 'entity-type' });
      this.at = { kind: 'entity-type' };
      return undefined;
    }
    if (at.references > MAX_REFERENCES) {
      return `follows more than ${String(MAX_REFERENCES)} references: ${show(this.text)}`;
    }
    return name === RELATIONSHIPS ? this.readRelationship(at) : this.readAspect(at, name);
  }

  private readAspect(at: EntityPosition, name: string): string | undefined {
    const aspect = aspectsAt(this.registry, at).get(name);
    if (aspect === undefined) return unknownAspectAt(this.registry, at, name);
    if (this.segments.length === 0) this.isTimeseries = aspect.kind === 'timeseries';
    const start: ValuePosition = {
      kind: 'value',
      schema: aspect.record,
      aspect,
      place: '',
      references: at.references,
    };
    const { steps, end, fault } = this.walkValue(start);
    if (end === undefined) return fault;
    this.segments.push({ kind: 'read', places: [{ ...nameAspect(aspect), steps }] });
    this.at = end;
    return undefined;
  }

  private readRelationship(at: EntityPosition): string | undefined {
    const name = this.next();
    const known = relationshipsAt(this.registry, at);
    const found = known.filter(({ relationship }) => relationship.name === name);
    if (name === undefined || found.length === 0) {
      const names = new Set(known.map(({ relationship }) => relationship.name));
      return name === undefined
        ? `names no relationship: ${show(this.text)}`
        : `unknown relationship ${show(name)}${ofTypes(at)}${didYouMean(name, names)}`;
    }
    this.segments.push({ kind: 'relationship', places: found.map(toPlace) });
    this.at = { kind: 'entity', types: typesOfEnds(this.registry, found), references: at.references + 1 };
    return undefined;
  }

  private descend(at: ValuePosition): string | undefined {
    const { steps, end, fault } = this.walkValue(at);
    if (end === undefined) return fault;
    this.segments.push({ kind: 'steps', steps });
    this.at = end;
    return undefined;
  }

  /** Follows names within one aspect, up to its end or to a urn. */
  private walkValue(start: ValuePosition): {
    readonly steps: readonly ValueStep[];
    readonly end?: Position;
    readonly fault?: string;
  } {
    const steps: ValueStep[] = [];
    let at: Position = start;
    while (at.kind === 'value' && this.done < this.names.length) {
      const name = this.names[this.done] ?? '';
      const inner: InnerStep = stepInto(at, name);
      if ('fault' in inner) return { steps, fault: inner.fault ?? this.tooFar(`a ${describe(at)}`) };
      this.done++;
      steps.push(inner.step);
      at = positionAt(this.registry, inner.schema, {
        aspect: at.aspect,
        place: `${at.place}/${inner.place}`,
        references: at.references,
      });
    }
    return { steps, end: at };
  }
}

type InnerStep =
  | { readonly step: ValueStep; readonly place: string; readonly schema: ValueSchema }
  /** `undefined`: the type has no inner values. */
  | { readonly fault: string | undefined };
type ValueSchema = Parameters<typeof positionAt>[1];

function stepInto({ schema }: ValuePosition, name: string): InnerStep {
  switch (schema.kind) {
    case 'record': {
      const field = schema.fields.find((candidate) => candidate.name === name);
      if (field !== undefined) return { step: { kind: 'member', name }, place: name, schema: field.type };
      const known = schema.fields.map((candidate) => candidate.name);
      return { fault: `unknown field ${show(name)} of ${schema.name}${didYouMean(name, known)}` };
    }
    case 'union': {
      const member = schema.members.find(({ key }) => key === name || shortName(key) === name);
      if (member === undefined) {
        const known = schema.members.map(({ key }) => shortName(key));
        return {
          fault: `unknown member ${show(name)} of a union of ${known.join(', ')}${didYouMean(name, known)}`,
        };
      }
      return { step: { kind: 'member', name: member.key }, place: member.key, schema: member.type };
    }
    case 'map':
      return {
        step: name === EACH ? { kind: 'values' } : { kind: 'member', name },
        place: EACH,
        schema: schema.values,
      };
    default:
      return { fault: undefined };
  }
}

function describe({ schema }: ValuePosition): string {
  if (schema.kind !== 'primitive') return schema.kind;
  return schema.name === 'string' ? 'text' : schema.name;
}

function shortName(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

function aspectsAt(registry: EntityRegistry, { types }: EntityPosition): ReadonlyMap<string, AspectType> {
  const all = (types ?? registry.entityTypes).map(({ aspects }) => aspects);
  return new Map(all.flatMap((aspects) => [...aspects]));
}

function unknownAspectAt(registry: EntityRegistry, at: EntityPosition, name: string): string {
  const known = [...aspectsAt(registry, at).keys()];
  const others = at.references === 0 ? [RELATIONSHIPS, URN, ENTITY_TYPE] : [];
  return `unknown aspect ${show(name)}${ofTypes(at)}${didYouMean(name, [...known, ...others])}`;
}

/** Names up to three types, for a message. */
function ofTypes({ types }: EntityPosition): string {
  if (types === undefined) return '';
  const names = types.slice(0, 3).map(({ name }) => name);
  return ` of ${names.join(', ')}${types.length > names.length ? ', …' : ''}`;
}

interface AspectRelationship {
  readonly aspect: AspectType;
  readonly relationship: RelationshipPath;
}

function relationshipsAt(registry: EntityRegistry, at: EntityPosition): readonly AspectRelationship[] {
  return [...aspectsAt(registry, at).values()].flatMap((aspect) =>
    aspect.relationships.map((relationship) => ({ aspect, relationship })),
  );
}

function toPlace({ aspect, relationship }: AspectRelationship): AspectPlace {
  const steps = relationship.steps.map(({ name }): ValueStep => {
    if (name === EACH) return { kind: 'each' };
    return name === '$key' ? { kind: 'keys' } : { kind: 'member', name };
  });
  return { ...nameAspect(aspect), steps };
}

function typesOfEnds(
  registry: EntityRegistry,
  found: readonly AspectRelationship[],
): readonly EntityType[] | undefined {
  if (found.some(({ relationship }) => relationship.entityTypes.length === 0)) return undefined;
  const names = new Set(found.flatMap(({ relationship }) => relationship.entityTypes));
  const types = [...names].flatMap((name) => registry.entityType(name) ?? []);
  return types.length === 0 ? undefined : types;
}

function nameAspect({ name, kind }: AspectType): Pick<AspectPlace, 'aspectName' | 'aspectKind'> {
  return { aspectName: name, aspectKind: kind };
}
