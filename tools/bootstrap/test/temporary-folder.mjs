// Chooses the folder for the temporary files of a test run.
import { readFileSync, statfsSync } from 'node:fs';
import { freemem, platform, tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const GB = 1024 ** 3;
/** The files of a whole run take less than 3 GB at a time, and its servers less than 7 GB. */
const ROOM = 6 * GB;
const MEMORY = 14 * GB;

/**
 * Returns a folder in memory where the machine has enough of it: suites create and remove thousands of files, which takes a fifth of a run
 * on a disk. Otherwise, and where `TMPDIR` names a folder, returns the system's folder for temporary files.
 */
export function chooseTemporaryFolder(machine = readMachine()) {
  const { given, freeMemory, freeRoom, mayExecute } = machine;
  return given === undefined && mayExecute && freeRoom >= ROOM && freeMemory >= MEMORY ? IN_MEMORY : tmpdir();
}

function readMachine() {
  const given = process.env.TMPDIR;
  const freeMemory = Math.min(freemem(), process.constrainedMemory?.() || Infinity);
  try {
    if (platform() !== 'linux') throw new Error('no such folder');
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const [, options = 'noexec'] =
      new RegExp(`^\\S+ ${IN_MEMORY} tmpfs (\\S+)`, 'm').exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    return {
      given,
      freeMemory,
      freeRoom: bavail * bsize,
      mayExecute: !options.split(',').includes('noexec'),
    };
  } catch {
    return { given, freeMemory, freeRoom: 0, mayExecute: false };
  }
}
