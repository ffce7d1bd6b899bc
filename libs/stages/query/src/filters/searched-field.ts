import { didYouMean, type SearchField } from '@stratalog/model';
import type { EntityType } from '@stratalog/registry';

/** The field of the `status` aspect that hides an entity; entities of every type can be asked for it. */
export const REMOVED = 'removed';

/** A field that filters and orders name, as the entity types that are searched have it. */
export interface SearchedField {
  /** Mostly one; an alias may mean different fields of different types. */
  readonly names: readonly string[];
  readonly kind: 'text' | 'number' | 'boolean';
}

/** What clients of the original put behind a name to mean the whole value. */
const KEYWORD = '.keyword';

/** The field of this name or alias; types that have none are passed over, as long as one has. */
export function resolveSearchedField(
  types: readonly EntityType[],
  asked: string,
): SearchedField | { readonly fault: string } {
  const name = asked.endsWith(KEYWORD) ? asked.slice(0, -KEYWORD.length) : asked;
  if (name === REMOVED) return { names: [REMOVED], kind: 'boolean' };
  const fields = types.flatMap(({ searchFields }) => searchFields.get(name) ?? []);
  const kinds = new Set(fields.map(kindOf));
  const [kind] = kinds;
  const shown = asked.slice(0, 100);
  if (kind === undefined) {
    const near = didYouMean(name, searchNamesOf(types));
    return { fault: `${shown} is no searchable field of ${namesOf(types)}${near}` };
  }
  if (kinds.size > 1) {
    return { fault: `${shown} holds ${[...kinds].join(' or ')} by the entity type; ask for one type` };
  }
  return { names: [...new Set(fields.map((field) => field.name))], kind };
}

/** Types share most names, and each is compared once. */
function searchNamesOf(types: readonly EntityType[]): ReadonlySet<string> {
  return new Set([...types.flatMap(({ searchFields }) => [...searchFields.keys()]), REMOVED]);
}

function kindOf({ type }: SearchField): SearchedField['kind'] {
  switch (type) {
    case 'BOOLEAN':
      return 'boolean';
    case 'COUNT':
    case 'DATETIME':
    case 'DOUBLE':
      return 'number';
    default:
      return 'text';
  }
}

function namesOf(types: readonly EntityType[]): string {
  const [first] = types;
  return first !== undefined && types.length === 1
    ? `the entity type ${first.name}`
    : `the ${String(types.length)} entity types`;
}
