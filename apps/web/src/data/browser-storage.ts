/** What the browser keeps under a name, or `undefined` where it keeps nothing, forbids it, or holds something else than JSON. */
export function readKept(name: string): unknown {
  try {
    const text = localStorage.getItem(`stratalog.${name}`);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Keeps a value for the next visit; a browser that forbids it forgets it with the page. Never for tokens. */
export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`stratalog.${name}`, JSON.stringify(value));
  } catch {
    // The page works without.
  }
}
