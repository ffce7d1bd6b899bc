const MODEL_PREFIX = 'com.linkedin.';

/** Something that has the full name of a type. */
export interface Named<Thing> {
  readonly name: string;
  readonly thing: Thing;
  /** False where it is known by this name alone. */
  readonly hasOthers: boolean;
}

/**
 * Things by every name that producers write: the full name, its last part when no other has that, and the name that Avro-based producers
 * give the same type.
 */
export function byEveryName<Thing>(
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
    for (const other of otherNamesOf(name, vendorPrefix)) names.set(other, thing);
  }
  for (const [name, thing] of short) if (thing !== undefined && !names.has(name)) names.set(name, thing);
  return names;
}

/** The same type as other producers spell it: with the model's own prefix, and as Avro schemas rename it. */
function otherNamesOf(fullName: string, vendorPrefix: string): readonly string[] {
  if (!fullName.startsWith(vendorPrefix)) return [];
  const rest = fullName.slice(vendorPrefix.length);
  return [vendorPrefix, MODEL_PREFIX].flatMap((prefix) => [
    `${prefix}${rest}`,
    `${prefix}pegasus2avro.${rest}`,
    // The two types of this package keep a place of their own in Avro.
    ...(rest.startsWith('avro2pegasus.events.') ? [`${prefix}${rest.slice('avro2pegasus.'.length)}`] : []),
  ]);
}
