import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A file system of a few megabytes in memory, mounted at a test's path. Mounting needs root, and is not
 * possible everywhere.
 */
export class SmallDisk {
  private constructor(readonly path: string) {}

  static mount(path: string, megabytes: number): SmallDisk {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m`, 'tmpfs', path]);
    if (mounted.status !== 0) throw new Error(mounted.error?.message ?? mounted.stderr.toString());
    return new SmallDisk(path);
  }

  /** Fills the disk, except for `leftBytes`. */
  fill(leftBytes = 0): void {
    const { bavail, bsize } = statfsSync(this.path);
    const file = openSync(this.filler, 'w');
    try {
      const chunk = Buffer.alloc(4096);
      for (let left = bavail * bsize - leftBytes; left >= chunk.length; left -= chunk.length)
        writeSync(file, chunk);
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.filler, { force: true });
  }

  /** Gives the disk this size. */
  resize(megabytes: number): void {
    const options = `remount,size=${String(megabytes)}m`;
    const mounted = spawnSync('mount', ['-o', options, this.path]);
    if (mounted.status !== 0) throw new Error(mounted.error?.message ?? mounted.stderr.toString());
  }

  /** **Units**: megabytes. */
  get left(): number {
    const { bavail, bsize } = statfsSync(this.path);
    return (bavail * bsize) / 1024 / 1024;
  }

  unmount(): void {
    spawnSync('umount', ['--lazy', this.path]);
  }

  private get filler(): string {
    return join(this.path, 'filler');
  }
}

/** Explains why mounting is impossible here; `undefined` when it is possible. */
export function whyNoSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-mount-`));
  try {
    SmallDisk.mount(folder, 1).unmount();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
