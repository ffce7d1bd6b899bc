type Parameters = Record<string, string | readonly string[]>;

/** Reads the query of an address: a name that is there several times has a list. */
export function parseSearch(text: string): Parameters {
  const found: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const before = found[name];
    found[name] = before === undefined ? value : [before, value].flat();
  }
  return found;
}

/** The other way round; members without a value are left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const each of [value].flat()) {
      if (typeof each === 'string' && each !== '') parameters.append(name, each);
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** The first value of a parameter. */
export function one(value: unknown): string | undefined {
  const [first] = [value].flat();
  return typeof first === 'string' && first !== '' ? first : undefined;
}

/** All values of a parameter. */
export function many(value: unknown): readonly string[] {
  return [value].flat().filter((each): each is string => typeof each === 'string' && each !== '');
}

/** Everything but the named members. */
export function without<Members extends object>(
  members: Members,
  ...names: readonly string[]
): Partial<Members> {
  const kept = Object.entries(members).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept) as Partial<Members>;
}

/** Members whose value is absent are left out of the address. */
export function present<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const kept = Object.entries(members as Record<string, unknown>).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept) as { [Name in keyof Members]?: Exclude<Members[Name], undefined> };
}
