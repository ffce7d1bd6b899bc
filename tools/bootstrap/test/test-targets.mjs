// Defines which suites `npm test` runs, and which have a target of their own because they take minutes each.

/** Suites by the first target whose pattern matches; all others belong to `suites`, the default target. */
const SUITES_OF_TARGET = {
  clients: /\.(clients|browser)\.e2e\.spec\.ts$/,
  bench: /(\/bench\/.*|\.bench)\.e2e\.spec\.ts$/,
  faults: /(\/tools\/faults\/.*|\.faults)\.e2e\.spec\.ts$/,
  distributed: /\.distributed\.e2e\.spec\.ts$/,
};

/** The values of `--target`, besides `all`. */
export const TARGETS = ['suites', ...Object.keys(SUITES_OF_TARGET)];

/** Returns the target that runs a suite, by the suite's path. */
export function targetOfSuite(path) {
  const found = Object.entries(SUITES_OF_TARGET).find(([, pattern]) => pattern.test(path));
  return found?.[0] ?? 'suites';
}

/**
 * Splits the arguments of `npm test` into `target` (one of `TARGETS`, or `all`) and the rest, which jest
 * gets. Without `--target` a path pattern selects every matching suite, and no argument at all the default
 * target.
 *
 * Throws an error that lists the targets for an unknown one.
 */
export function parseTestArguments(args) {
  const rest = args.filter((arg) => !arg.startsWith('--target='));
  const named = args.find((arg) => arg.startsWith('--target='))?.slice('--target='.length);
  const target = named ?? (rest.length === 0 ? 'suites' : 'all');
  if (target !== 'all' && !TARGETS.includes(target))
    throw new Error(`--target is ${[...TARGETS, 'all'].join(', ')}, not ${JSON.stringify(target)}`);
  return { target, rest };
}

/** Returns the suites of a target among `suites` (paths). */
export function suitesOfTarget(suites, target) {
  return target === 'all' ? suites : suites.filter((path) => targetOfSuite(path) === target);
}
