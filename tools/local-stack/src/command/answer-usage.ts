/** The result of a program's arguments when no work is requested. */
export type Usage = { readonly kind: 'help' } | { readonly kind: 'usage'; readonly fault: string };

/** Prints the help, or the fault in one line; returns the exit status. */
export function answerUsage(usage: Usage, help: string): number {
  if (usage.kind === 'help') {
    process.stdout.write(help);
    return 0;
  }
  process.stderr.write(`${usage.fault} (--help lists what there is)\n`);
  return 2;
}
