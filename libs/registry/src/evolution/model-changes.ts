import type { EntityShape, FieldShape, ModelShape, TypeShape } from './model-shape';

/** One difference between two models. */
export interface ModelChange {
  /** Breaking: a value of the old model may be invalid in the new one, or nothing reads it any more. */
  readonly isBreaking: boolean;
  /** The changed element, e.g. `com.linkedin.tag.TagProperties.name`. */
  readonly place: string;
  readonly what: string;
}

/**
 * Lists the changes from one model to another: entities, aspects, records and enums, each in the order of the old
 * model, followed by new ones. Types outside every aspect are ignored.
 */
export function compareModels(old: ModelShape, next: ModelShape): readonly ModelChange[] {
  const changes = new Changes();
  if (old.urnNamespace !== next.urnNamespace) {
    changes.breaking('urns', `namespace ${old.urnNamespace} became ${next.urnNamespace}`);
  }
  for (const [name, before, after] of pairs(old.entities, next.entities)) {
    entityChanges(name, before, after, changes);
  }
  for (const [name, before, after] of pairs(old.aspects, next.aspects)) {
    if (before === undefined || after === undefined) changes.addedOrRemoved(`aspect ${name}`, before);
    else {
      changes.unless(before.kind === after.kind, `aspect ${name}`, `${before.kind} became ${after.kind}`);
      changes.unless(
        before.record === after.record,
        `aspect ${name}`,
        `${before.record} became ${after.record}`,
      );
    }
  }
  for (const [name, before, after] of pairs(old.records, next.records)) {
    // A removed record is reported where it was used.
    if (before !== undefined && after !== undefined) recordChanges(name, before, after, old, changes);
  }
  for (const [name, before, after] of pairs(old.enums, next.enums)) {
    if (before === undefined || after === undefined) continue;
    for (const symbol of before.filter((known) => !after.includes(known))) {
      changes.breaking(name, `symbol ${symbol} removed`);
    }
    for (const symbol of after.filter((known) => !before.includes(known))) {
      changes.compatible(name, `symbol ${symbol} added`);
    }
  }
  return changes.all;
}

class Changes {
  readonly all: ModelChange[] = [];

  breaking(place: string, what: string): void {
    this.all.push({ isBreaking: true, place, what });
  }

  compatible(place: string, what: string): void {
    this.all.push({ isBreaking: false, place, what });
  }

  unless(isSame: boolean, place: string, what: string): void {
    if (!isSame) this.breaking(place, what);
  }

  addedOrRemoved(place: string, before: unknown): void {
    if (before === undefined) this.compatible(place, 'added');
    else this.breaking(place, 'removed');
  }
}

function entityChanges(
  name: string,
  before: EntityShape | undefined,
  after: EntityShape | undefined,
  changes: Changes,
): void {
  const place = `entity ${name}`;
  if (before === undefined || after === undefined) {
    changes.addedOrRemoved(place, before);
    return;
  }
  changes.unless(
    before.keyAspect === after.keyAspect,
    place,
    `key aspect ${before.keyAspect} became ${after.keyAspect}`,
  );
  const [parts, newParts] = [before.keyParts.join(','), after.keyParts.join(',')];
  changes.unless(parts === newParts, place, `parts of the key ${parts} became ${newParts}`);
  for (const aspect of before.aspects.filter((known) => !after.aspects.includes(known))) {
    changes.breaking(place, `aspect ${aspect} removed`);
  }
  for (const aspect of after.aspects.filter((known) => !before.aspects.includes(known))) {
    changes.compatible(place, `aspect ${aspect} added`);
  }
}

function recordChanges(
  name: string,
  before: Readonly<Record<string, FieldShape>>,
  after: Readonly<Record<string, FieldShape>>,
  model: ModelShape,
  changes: Changes,
): void {
  for (const [field, old, own] of pairs(before, after)) {
    const place = `${name}.${field}`;
    if (own === undefined) changes.breaking(place, 'removed');
    else if (old === undefined) {
      if (own.isRequired) changes.breaking(place, 'added and required');
      else changes.compatible(place, 'added');
    } else {
      if (own.isRequired && !old.isRequired) changes.breaking(place, 'made required');
      if (!own.isRequired && old.isRequired) changes.compatible(place, 'made optional');
      typeChanges(place, old.type, own.type, model, changes);
    }
  }
}

/** Types that accept every value of the key type. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  int: ['long', 'double'],
  float: ['double'],
  double: ['float'],
};

function typeChanges(
  place: string,
  old: TypeShape,
  next: TypeShape,
  model: ModelShape,
  changes: Changes,
): void {
  if (typeof old === 'string' || typeof next === 'string') {
    if (old === next) return;
    const what = `type ${shown(old)} became ${shown(next)}`;
    if (typeof old === 'string' && typeof next === 'string' && isWider(old, next, model)) {
      changes.compatible(place, what);
    } else {
      changes.breaking(place, what);
    }
  } else if ('array' in old && 'array' in next) {
    typeChanges(`${place}/*`, old.array, next.array, model, changes);
  } else if ('map' in old && 'map' in next) {
    typeChanges(`${place}/*`, old.map, next.map, model, changes);
  } else if ('union' in old && 'union' in next) {
    for (const [key, before, after] of pairs(old.union, next.union)) {
      if (before === undefined) changes.compatible(place, `member ${key} added`);
      else if (after === undefined) changes.breaking(place, `member ${key} removed`);
      else typeChanges(`${place}/${key}`, before, after, model, changes);
    }
  } else {
    changes.breaking(place, `type ${shown(old)} became ${shown(next)}`);
  }
}

/** `enums` are those of the old model. */
function isWider(old: string, next: string, { enums }: ModelShape): boolean {
  if (WIDER[old]?.includes(next) === true) return true;
  const isUrn = old === 'urn' || old.startsWith('urn ');
  if (isUrn && next === 'urn') return true;
  // Symbols and urns are texts.
  const isText = isUrn || Object.hasOwn(enums, old);
  return isText && next === 'string';
}

function shown(type: TypeShape): string {
  if (typeof type === 'string') return type;
  if ('array' in type) return `array[${shown(type.array)}]`;
  if ('map' in type) return `map[string, ${shown(type.map)}]`;
  return `union[${Object.keys(type.union).join(', ')}]`;
}

/** Pairs the entries of both objects by name, in the order of the first object. */
function pairs<T>(
  old: Readonly<Record<string, T>>,
  next: Readonly<Record<string, T>>,
): readonly (readonly [string, T | undefined, T | undefined])[] {
  const own = (all: Readonly<Record<string, T>>, name: string) =>
    Object.hasOwn(all, name) ? all[name] : undefined;
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  return [...names].map((name) => [name, own(old, name), own(next, name)] as const);
}
