import { findAnnotatedPlaces, type AnnotatedPlace } from './annotated-places';
import type { ModelWarnings, OptionNames } from './model-warnings';
import type { Step } from './place';
import type { RecordSchema } from '../schema/schema';
import { errorAt } from '../pdl/source-file';

/** A number of an aspect that ranks its entity higher or lower. */
export interface SearchScore {
  readonly path: string;
  readonly steps: readonly Step[];
  readonly fieldName: string;
  /** Weight of the number, relative to a weight of 1 for the text match. */
  readonly weight: number;
  /** Value of an absent number. */
  readonly defaultValue: number;
  readonly modifier: Modifier;
}

/** Functions that an annotation can apply to the number. */
export const MODIFIERS = {
  none: (x: number) => x,
  log: (x: number) => Math.log10(x),
  log1p: (x: number) => Math.log10(1 + x),
  log2p: (x: number) => Math.log10(2 + x),
  ln: (x: number) => Math.log(x),
  ln1p: (x: number) => Math.log1p(x),
  ln2p: (x: number) => Math.log(2 + x),
  square: (x: number) => x * x,
  sqrt: (x: number) => Math.sqrt(x),
  reciprocal: (x: number) => 1 / x,
} as const;
type Modifier = keyof typeof MODIFIERS;

const OPTIONS: OptionNames = {
  effective: new Set(['fieldName', 'weight', 'defaultValue', 'modifier']),
};
const NUMBERS: readonly string[] = ['int', 'long', 'float', 'double'];

/**
 * Reads the `@SearchScore` annotations of an aspect's numbers.
 *
 * **Errors**: `InvalidModelError` for a field that is no number or is in a list, an option of the wrong type, or an
 * unknown modifier.
 */
export function readSearchScores(
  record: RecordSchema,
  rename: (name: string) => string,
  warnings: ModelWarnings,
): readonly SearchScore[] {
  const places = findAnnotatedPlaces(record, { annotation: 'SearchScore', rename, maps: 'whole' });
  return places.map((place) => {
    const { path, steps, options, origin, type, fieldName } = place;
    warnings.options('SearchScore', options, OPTIONS, origin);
    if (type.kind !== 'primitive' || !NUMBERS.includes(type.name) || steps.some(({ name }) => name === '*')) {
      throw errorAt(origin, '@SearchScore: expected a number that is not in a list');
    }
    return {
      path,
      steps,
      fieldName: typeof options.fieldName === 'string' ? options.fieldName : fieldName,
      weight: readNumber(place, 'weight', 1),
      defaultValue: readNumber(place, 'defaultValue', 0),
      modifier: readModifier(place),
    };
  });
}

function readNumber({ options, origin }: AnnotatedPlace, option: string, fallback: number): number {
  const value = options[option];
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value >= 0) return value;
  throw errorAt(origin, `@SearchScore: expected ${option} to be a number from 0 on`);
}

function readModifier({ options, origin }: AnnotatedPlace): Modifier {
  const { modifier = 'none' } = options;
  const name = typeof modifier === 'string' ? modifier.toLowerCase() : '';
  if (Object.hasOwn(MODIFIERS, name)) return name as Modifier;
  throw errorAt(origin, `@SearchScore: expected a modifier of ${Object.keys(MODIFIERS).join(', ')}`);
}
