/** The catalog broke a promise. */
export class Violation extends Error {
  constructor(
    /** Which promise: the name of the check. */
    readonly check: string,
    detail: string,
  ) {
    super(`${check}: ${detail}`);
    this.name = 'Violation';
  }
}
