import type { JsonValue } from '@stratalog/json';
import { isObject } from '../../../data/entity-card';
import { toWords } from '../../../data/words';
import type { Change } from '../use-changes';

export type Difference = Change['differences'][number];

/** What one change did to one thing: a column, an owner, a tag, or a field of the aspect. */
export interface ThingChanged {
  /** The name or the urn of the thing. */
  readonly thing: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly parts: readonly { readonly label: string; readonly old?: JsonValue; readonly new?: JsonValue }[];
}

/** Lists whose elements have names, by their first step in a path, and what one of them is called. */
const THINGS: Readonly<Record<string, string>> = {
  fields: 'column',
  editableSchemaFieldInfo: 'column',
  owners: 'owner',
  tags: 'tag',
  terms: 'term',
  upstreams: 'upstream',
  elements: 'link',
  domains: 'domain',
  properties: 'property',
};

/** The steps of a JSON pointer. */
function stepsOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Gathers differences by the thing that they are about, in their order. */
export function groupDifferences(differences: readonly Difference[]): readonly ThingChanged[] {
  const things = new Map<string, { kind: ThingChanged['kind']; parts: ThingChanged['parts'][number][] }>();
  for (const difference of differences) {
    const steps = stepsOf(difference.path);
    const [first = '', second] = steps;
    const isNamed = second !== undefined && first in THINGS;
    const thing = isNamed ? second : first;
    const rest = steps.slice(isNamed ? 2 : 1);
    const isWhole = rest.length === 0 || (isNamed && rest.length === 1 && first === 'owners');
    const known = things.get(thing) ?? { kind: isWhole ? kindOf(difference) : 'changed', parts: [] };
    if (!isWhole) known.kind = 'changed';
    const { oldValue, newValue } = difference;
    known.parts.push({
      label: rest.map(toWords).join(', '),
      ...(oldValue === undefined ? {} : { old: oldValue }),
      ...(newValue === undefined ? {} : { new: newValue }),
    });
    things.set(thing, known);
  }
  return [...things].map(([thing, { kind, parts }]) => ({ thing, kind, parts }));
}

function kindOf({ kind }: Difference): ThingChanged['kind'] {
  return kind === 'reordered' ? 'changed' : kind;
}

/** One sentence about a change, without names of entities: "Schema: 2 columns added, 1 changed". */
export function summarize({ kind, aspectName, differences }: Change): string {
  const aspect = toWords(aspectName);
  if (kind === 'CREATED') return `${aspect} written for the first time`;
  if (kind === 'DELETED') return `${aspect} deleted`;
  const counts = new Map<string, number>();
  for (const { path, kind: each } of differences) {
    const [first = '', second, ...rest] = stepsOf(path);
    const isWhole = rest.length === 0 || first === 'owners';
    const noun =
      second !== undefined && first in THINGS ? (THINGS[first] ?? first) : toWords(first).toLowerCase();
    const verb = isWhole && each !== 'reordered' ? each : 'changed';
    counts.set(`${noun} ${verb}`, (counts.get(`${noun} ${verb}`) ?? 0) + 1);
  }
  const parts = [...counts]
    .slice(0, 3)
    .map(([what, number]) => (number === 1 ? what : `${what} (${String(number)})`));
  return parts.length === 0 ? `${aspect} changed` : `${aspect}: ${parts.join(', ')}`;
}

interface ColumnChange {
  readonly text: string;
  readonly atMs: number;
}

/** What happened to one column of a schema, the newest first. */
export function changesOfColumn(changes: readonly Change[], path: string): readonly ColumnChange[] {
  return changes
    .filter(({ aspectName }) => /schemaMetadata$/i.test(aspectName))
    .flatMap(({ time, kind, differences }) => {
      if (kind === 'CREATED')
        return differences.some(({ newValue }) => mentions(newValue, path))
          ? [{ text: 'First seen', atMs: time }]
          : [];
      return groupDifferences(differences)
        .filter(({ thing }) => thing === path)
        .flatMap(({ kind: each, parts }) =>
          each === 'changed'
            ? parts.map(({ label }) => ({ text: `${label === '' ? 'Column' : label} changed`, atMs: time }))
            : [{ text: each === 'added' ? 'Added' : 'Removed', atMs: time }],
        );
    });
}

function mentions(schema: JsonValue | undefined, path: string): boolean {
  if (!isObject(schema)) return false;
  const fields = schema.fields ?? schema.editableSchemaFieldInfo;
  return Array.isArray(fields) && fields.some((field) => isObject(field) && field.fieldPath === path);
}
