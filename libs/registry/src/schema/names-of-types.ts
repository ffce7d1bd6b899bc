const MODEL_PREFIX = 'com.linkedin.';

/** A thing with the full name of a type. */
export interface Named<Thing> {
  readonly name: string;
  readonly thing: Thing;
  /** False when the thing has only this name. */
  readonly hasOthers: boolean;
}

/**
 * Indexes things by every name that producers write: the full name, a unique last part, and the name of Avro-based
 * producers.
 */
export function indexByEveryName<Thing>(
  named: readonly Named<Thing>[],
  vendorPrefix: string,
): ReadonlyMap<string, Thing> {
  const short = new Map<string, Thing | undefined>();
  const names = new Map<string, Thing>();
  for (const { name, thing, hasOthers } of named) {
    names.set(name, thing);
    const lastDot = name.lastIndexOf('.');
    if (!hasOthers || lastDot < 0) continue;
    const last = name.slice(lastDot + 1);
    short.set(last, short.has(last) ? undefined : thing);
    for (const other of listOtherNames(name, vendorPrefix)) names.set(other, thing);
  }
  for (const [name, thing] of short) if (thing !== undefined && !names.has(name)) names.set(name, thing);
  return names;
}

/** Lists other producers' names of a type: with the model's own prefix, and as Avro schemas rename it. */
function listOtherNames(fullName: string, vendorPrefix: string): readonly string[] {
  if (!fullName.startsWith(vendorPrefix)) return [];
  const rest = fullName.slice(vendorPrefix.length);
  return [vendorPrefix, MODEL_PREFIX].flatMap((prefix) => [
    `${prefix}${rest}`,
    `${prefix}pegasus2avro.${rest}`,
    // The two types of this package have their own package in Avro.
    ...(rest.startsWith('avro2pegasus.events.') ? [`${prefix}${rest.slice('avro2pegasus.'.length)}`] : []),
  ]);
}
