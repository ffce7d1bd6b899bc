/** Collects the parameters of a statement whose text is assembled from parts. */
export class StatementParameters {
  readonly values: unknown[];

  constructor(first: readonly unknown[]) {
    this.values = [...first];
  }

  /** Adds a value and returns its placeholder. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${String(this.values.length)}`;
  }
}
