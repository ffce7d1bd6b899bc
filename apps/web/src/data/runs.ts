const NO_RUN = ['', 'no-run-id-provided'];

interface Change {
  readonly systemMetadata?: { readonly runId?: string | undefined } | undefined;
}

/** The run of a connector that a change belongs to; `undefined`: somebody made it alone. */
export function runOf({ systemMetadata }: Change): string | undefined {
  const run = systemMetadata?.runId ?? '';
  return NO_RUN.includes(run) ? undefined : run;
}
