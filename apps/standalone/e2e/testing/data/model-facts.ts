import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@stratalog/json';
import { CONNECTOR_DATA } from './connector-files';

const RECORDS = join(CONNECTOR_DATA, 'model/records-1.7.0.jsonl');
const ENTITIES = join(CONNECTOR_DATA, 'model/entities-1.7.0.json');

interface FieldFacts {
  readonly name: string;
  readonly type: string;
  readonly annotations?: { readonly Relationship?: Readonly<Record<string, unknown>> };
}

interface TypeFacts {
  readonly name: string;
  readonly kind: string;
  readonly includes?: readonly string[];
  readonly fields?: readonly FieldFacts[];
  /** The type behind a typeref. */
  readonly ref?: string;
}

/** The name of the relationship at the rest of a path. */
type Drawn = ReadonlyMap<string, string>;

const GENERIC = /^(array|map|union)<(.*)>$/s;

/**
 * Computes the edges of an aspect by a walk over its value according to facts about DataHub's model that do not come
 * from our model files. It shares no code with the
 * program, because it checks the program's reading of its own model.
 */
export class ModelFacts {
  private readonly types: ReadonlyMap<string, TypeFacts>;
  private readonly records: ReadonlyMap<string, string>;

  constructor() {
    const lines = readFileSync(RECORDS, 'utf8').trimEnd().split('\n');
    this.types = new Map(lines.map((line) => JSON.parse(line) as TypeFacts).map((type) => [type.name, type]));
    const { aspects } = parseJson(readFileSync(ENTITIES, 'utf8')) as JsonObject;
    this.records = new Map(
      Object.entries(aspects as unknown as Readonly<Record<string, { record: string; type: string }>>)
        .filter(([, { type }]) => type === 'versioned')
        .map(([name, { record }]) => [name, record]),
    );
  }

  /** Every relationship name of any field. */
  relationships(): readonly string[] {
    const fields = [...this.types.values()].flatMap((type) => type.fields ?? []);
    return [...new Set(fields.flatMap((field) => [...annotatedRelationships(field).values()]))];
  }

  /** The edges as `<type> <urn>`, each once; none for a timeseries aspect. */
  collectEdges(aspectName: string, value: JsonValue): ReadonlySet<string> {
    const record = this.records.get(aspectName);
    const edges = new Set<string>();
    if (record !== undefined) this.walk(record, value, new Map(), edges);
    return edges;
  }

  private walk(type: string, value: JsonValue | undefined, drawn: Drawn, edges: Set<string>): void {
    if (value === undefined || value === null) return;
    const name = drawn.get('');
    if (name !== undefined && typeof value === 'string') edges.add(`${name} ${value}`);
    const [, generic, inner = ''] = GENERIC.exec(type) ?? [];
    if (generic === 'array') {
      for (const element of value as JsonValue[]) this.walk(inner, element, below(drawn, '*'), edges);
    } else if (generic === 'map') {
      for (const element of Object.values(value))
        this.walk(inner, element as JsonValue, below(drawn, '*'), edges);
      for (const key of Object.keys(value)) this.walk('string', key, below(drawn, '$key'), edges);
    } else if (generic === 'union') {
      this.walkUnion(inner, value, drawn, edges);
    } else {
      this.walkNamed(type, value, drawn, edges);
    }
  }

  /** Members of the file's unions are keyed by their type, or by an alias. */
  private walkUnion(members: string, value: JsonValue, drawn: Drawn, edges: Set<string>): void {
    if (!isJsonObject(value)) return;
    for (const member of members.split(',')) {
      const [alias, aliased] = member.split(':');
      const type = aliased ?? member;
      const key = aliased === undefined ? this.underlying(type) : (alias ?? '');
      if (value[key] !== undefined) this.walk(type, value[key], below(drawn, key), edges);
    }
  }

  private walkNamed(name: string, value: JsonValue, drawn: Drawn, edges: Set<string>): void {
    const type = this.types.get(name);
    if (type?.ref !== undefined)
      this.walk(type.ref, value, new Map([...drawn].filter(([path]) => path !== '')), edges);
    if (type?.kind !== 'record' || !isJsonObject(value)) return;
    for (const field of this.fieldsOf(type)) {
      // An annotation on the path here overrides the field's own for the same place.
      const all = new Map([...annotatedRelationships(field), ...below(drawn, field.name)]);
      this.walk(field.type, value[field.name], all, edges);
    }
  }

  private fieldsOf({ includes = [], fields = [] }: TypeFacts): readonly FieldFacts[] {
    const included = includes.flatMap((name) => {
      const type = this.types.get(name);
      return type === undefined ? [] : this.fieldsOf(type);
    });
    return [...included, ...fields];
  }

  private underlying(type: string): string {
    const { ref } = this.types.get(type) ?? {};
    return ref === undefined ? type : this.underlying(ref);
  }
}

function annotatedRelationships({ annotations }: FieldFacts): Drawn {
  const said = annotations?.Relationship;
  if (said === undefined) return new Map();
  if (typeof said.name === 'string') return new Map([['', said.name]]);
  const bodies = Object.entries(said as Readonly<Record<string, { readonly name: string }>>);
  return new Map(bodies.map(([path, { name }]) => [path.replace(/^\//, ''), name]));
}

/** Returns the annotations below one step of the paths. */
function below(drawn: Drawn, step: string): Drawn {
  const rest = new Map<string, string>();
  for (const [path, name] of drawn) {
    if (path === step) rest.set('', name);
    else if (path.startsWith(`${step}/`)) rest.set(path.slice(step.length + 1), name);
  }
  return rest;
}
