// The factor by which a test may take longer here than on the reference machine: limits are written for that
// machine and scaled by it.
import { createHash } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';

/** Processor time of `work` on the reference machine: two shared cores of 2024. */
const REFERENCE_MS = 40;
const ROUNDS = 3;
/** The load that one run makes by itself, in runnable processes per core. */
const OWN_LOAD_PER_CORE = 2;
const LARGEST = 10;

/**
 * Measures the processor time of a fixed piece of work, as a multiple of the reference machine's. Other
 * processes hardly change it: the fastest of three rounds counts, and waiting for a core is not counted.
 */
export function measureSlowness() {
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times) / REFERENCE_MS;
}

/** The usual work of suites: parse, print and hash. */
function work() {
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, at) => ({ at, name: `value ${at}`, list: [at] })),
  );
  for (let round = 0; round < 2; round += 1)
    createHash('sha256')
      .update(JSON.stringify(JSON.parse(text)))
      .digest();
}

/**
 * Returns the current factor for time limits, from 1 to 10: the machine's slowness times its load beyond that
 * of a run itself.
 */
export function timeScale(
  slowness = Number(process.env.STRATALOG_TEST_SLOWNESS ?? 1),
  loadPerCore = loadavg()[0] / availableParallelism(),
) {
  const crowding = Math.max(1, loadPerCore / OWN_LOAD_PER_CORE);
  return Math.min(LARGEST, Math.max(1, slowness) * crowding);
}
