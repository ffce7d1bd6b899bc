/** What a program's arguments come to when nothing is to be run. */
export type Usage = { readonly kind: 'help' } | { readonly kind: 'usage'; readonly fault: string };

/** Prints the help, or what is wrong in one line; answers the exit status. */
export function answerUsage(usage: Usage, help: string): number {
  if (usage.kind === 'help') {
    process.stdout.write(help);
    return 0;
  }
  process.stderr.write(`${usage.fault} (--help lists what there is)\n`);
  return 2;
}
