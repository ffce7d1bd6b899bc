// Decides which suites run concurrently, and in which order, by their names: a fresh clone has no durations
// yet.

/** These suites measure a time, which others would lengthen. */
const ALONE = [
  /\/apps\/cli\/src\/commands\/model\/model-load\.e2e\./,
  /\/poison-run\.distributed\.e2e\./,
  /\/large-requests\.e2e\./,
  /\/large-values\.e2e\./,
  /\/large-values\.distributed\.e2e\./,
];

/** A long suite must not start last: one core would be idle while it ends. */
const LONGEST_FIRST = [
  /\.clients\.e2e\./,
  /\/(bench|tools\/faults)\/.*\.e2e\./,
  /\.browser\.e2e\./,
  /\.distributed\.e2e\./,
  /\.engine\.int\./,
  /\.int\./,
  /\.e2e\./,
];

/**
 * Divides jest's tests (each with its `path`): those that share the machine, in order, and those that run
 * alone.
 */
export function orderSuites(tests) {
  const isAlone = ({ path }) => ALONE.some((pattern) => pattern.test(path));
  return {
    beside: tests.filter((test) => !isAlone(test)).sort((one, other) => rankOf(one) - rankOf(other)),
    alone: tests.filter(isAlone),
  };
}

function rankOf({ path }) {
  const rank = LONGEST_FIRST.findIndex((pattern) => pattern.test(path));
  return rank < 0 ? LONGEST_FIRST.length : rank;
}
