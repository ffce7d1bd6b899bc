// Lets one process at a time install or build in this clone. Plain Node: it runs before any package is
// installed.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until no other living process holds the lock, then runs `work`. A holder is a file whose name
 * contains pid and start of the process, so that a killed one blocks no other. A process creates its file
 * first, then checks for others, and withdraws for a short time when there is one.
 */
export async function onlyOne(lockDir, onWait, work) {
  mkdirSync(lockDir, { recursive: true });
  const start = startOf(process.pid) ?? 'unknown';
  let told = false;
  for (;;) {
    const name = `${process.pid}.${start}.${randomBytes(4).toString('hex')}`;
    const path = join(lockDir, name);
    writeFileSync(path, '');
    const holder = holdersIn(lockDir).find((other) => other !== name);
    if (holder === undefined) {
      try {
        return await work();
      } finally {
        rmSync(path, { force: true });
      }
    }
    rmSync(path, { force: true });
    if (!told) onWait(Number(holder.split('.')[0]));
    told = true;
    await pause(50 + Math.random() * 200);
  }
}

function holdersIn(lockDir) {
  return readdirSync(lockDir).filter((name) => {
    const [pid, start] = name.split('.');
    if (startOf(Number(pid)) === start) return true;
    rmSync(join(lockDir, name), { force: true });
    return false;
  });
}

/**
 * On Linux returns the start time of the process, elsewhere only whether it runs. `undefined` when it has
 * ended.
 */
export function startOf(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // The process has ended, and its parent has not reaped it yet.
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
    }
    process.kill(pid, 0);
    return 'alive';
  } catch (error) {
    // The process belongs to another user, and runs.
    return error.code === 'EPERM' ? 'alive' : undefined;
  }
}
