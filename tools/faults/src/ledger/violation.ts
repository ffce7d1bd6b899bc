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

/**
 * Runs a test; answers which promise was broken, if any was. `failed` is aborted by whoever meets a violation elsewhere, which ends the
 * work with an error of no interest.
 *
 * **Errors**: whatever else ends the work.
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
