/** Merges the maps of several entity types; the first type with a name determines its meaning. */
export function firstOfEach<Value>(maps: readonly ReadonlyMap<string, Value>[]): ReadonlyMap<string, Value> {
  return new Map(maps.toReversed().flatMap((each) => [...each]));
}
