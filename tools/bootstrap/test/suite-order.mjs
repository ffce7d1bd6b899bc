// Decides which suites run concurrently, and in which order, by their names: a fresh clone has no durations
// yet.

/** These suites measure a time, which any other would lengthen: by their duration. */
const MEASURING = [
  /\/large-values\.bench\.e2e\./,
  /\/large-values\.distributed\.e2e\./,
  /\/large-requests\.bench\.e2e\./,
  /\/large-patches\.(?:bench|distributed)\.e2e\./,
  /\/apps\/cli\/src\/commands\/model\/model-load\.e2e\./,
];

/** A long suite must not start last: one core would be idle while it ends. */
const LONGEST_FIRST = [
  /\.clients\.e2e\./,
  /\/(bench|tools\/faults)\/.*\.e2e\.|\.faults\.e2e\./,
  /\.browser\.e2e\./,
  /\.distributed\.e2e\./,
  /\.engine\.int\./,
  /\.int\./,
  /\.e2e\./,
];

/** Divides jest's tests (each with its `path`), in order: `alone` measure a time, and run without the others. */
export function orderSuites(tests) {
  const isMeasuring = ({ path }) => rankIn(MEASURING, path) < MEASURING.length;
  return {
    together: sortedBy(
      LONGEST_FIRST,
      tests.filter((test) => !isMeasuring(test)),
    ),
    alone: sortedBy(MEASURING, tests.filter(isMeasuring)),
  };
}

function sortedBy(patterns, tests) {
  return tests.sort((one, other) => rankIn(patterns, one.path) - rankIn(patterns, other.path));
}

function rankIn(patterns, path) {
  const rank = patterns.findIndex((pattern) => pattern.test(path));
  return rank < 0 ? patterns.length : rank;
}
