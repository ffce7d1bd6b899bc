/** The catalog broke a promise. */
export class Violation extends Error {
  constructor(
    /** The name of the check. */
    readonly check: string,
    detail: string,
  ) {
    super(`${check}: ${detail}`);
    this.name = 'Violation';
  }
}

/**
 * Runs a test; returns the broken promise, if there is one. `failed` aborts on a violation elsewhere, which
 * ends the work with an error that does not matter.
 *
 * **Errors**: any other error of the work.
 */
export async function violationIn(
  work: () => Promise<void>,
  failed: AbortSignal,
): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const cause: unknown = failed.aborted ? failed.reason : error;
    if (cause instanceof Violation) return cause.message;
    throw cause;
  }
}
