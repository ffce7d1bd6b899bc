// Preloaded into a catalog (`--import`): measures how much processor time one turn of its event loop takes.
// On SIGUSR2 it writes the longest turn since the last signal to the file that TURN_CLOCK_FILE names. It
// measures processor time of the thread, not wall-clock time, so that other processes do not count.
import { Buffer } from 'node:buffer';
import { openSync, readSync, renameSync, writeFileSync } from 'node:fs';

const file = process.env.TURN_CLOCK_FILE;
const schedule = openSync('/proc/thread-self/schedstat', 'r');
const bytes = Buffer.alloc(64);

function processorMs() {
  const length = readSync(schedule, bytes, 0, bytes.length, 0);
  return Number(bytes.toString('latin1', 0, length).split(' ')[0]) / 1e6;
}

/** Measures the best time of this machine for work of a known size. */
function speedMs() {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, n) => ({ name: `n${n}`, n })));
  let best = Infinity;
  for (let run = 0; run < 10; run++) {
    const before = processorMs();
    JSON.parse(text);
    best = Math.min(best, processorMs() - before);
  }
  return best;
}

if (file !== undefined) {
  const unitMs = speedMs();
  let last = processorMs();
  let longestMs = 0;
  const look = () => {
    const now = processorMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    setTimeout(look, 1).unref();
  };
  look();
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.new`, JSON.stringify({ longestMs, unitMs }));
    renameSync(`${file}.new`, file);
    longestMs = 0;
  });
}
