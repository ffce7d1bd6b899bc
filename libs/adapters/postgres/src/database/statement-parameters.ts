/** The parameters of a statement whose text is put together from parts. */
export class StatementParameters {
  readonly values: unknown[];

  constructor(first: readonly unknown[]) {
    this.values = [...first];
  }

  /** Adds one and answers how the statement names it. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${String(this.values.length)}`;
  }
}
