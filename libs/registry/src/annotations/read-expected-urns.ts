import type { RecordSchema } from '../schema/schema';
import { findAnnotatedPlaces } from './annotated-places';
import type { Step } from './place';

/** A place inside an aspect that holds urns. */
export interface UrnPlace {
  readonly path: string;
  readonly steps: readonly Step[];
}

/** Finds the places of an aspect with `@UrnValidation = {"exist": true}`. An annotation that does not say so expects nothing. */
export function readExpectedUrns(
  record: RecordSchema,
  rename: (name: string) => string,
): readonly UrnPlace[] {
  return findAnnotatedPlaces(record, { annotation: 'UrnValidation', rename, maps: 'whole' })
    .filter(({ options }) => options.exist === true)
    .map(({ path, steps }) => ({ path, steps }));
}
