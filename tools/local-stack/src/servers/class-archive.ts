import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startOf } from '../../../bootstrap/workspace/only-one.mjs';
import type { Java } from './java';
import type { ServerPlace } from '../processes/running-server';

/** Small rather than fast: one collector thread, and no file of counters in the temporary folder. */
const SMALL = ['-XX:+UseSerialGC', '-Xms64m', '-XX:-UsePerfData'];
/**
 * Only the first of Java's two compilers. The second occupies the processor in the first minute and a hundred
 * megabytes for ever. Without it, the search engine writes a document in two thirds of the time.
 */
export const QUICK_TO_START = '-XX:TieredStopAtLevel=1';

export interface JvmArguments {
  /** Of the server. */
  readonly server: readonly string[];
  /** Of an additional command, on the same class path. */
  readonly command: readonly string[];
  /** Call it when the server has ended in order. */
  readonly keepArchive: () => void;
}

/**
 * Returns the flags of a Java program. The first orderly end archives its loaded classes, which takes some
 * seconds and halves every later start. The archive is bound to class path and Java build; its name holds
 * their hash, and it appears whole, by a rename.
 */
export function jvmArguments(
  name: string,
  classPath: string,
  java: Java,
  { cacheDir, isLongLived }: Pick<ServerPlace, 'cacheDir' | 'isLongLived'>,
): JvmArguments {
  const compiled = isLongLived ? SMALL : [...SMALL, QUICK_TO_START];
  const key = createHash('sha256').update(`${classPath}\n${java.build}`).digest('hex').slice(0, 12);
  const folder = join(cacheDir, 'classes');
  const archive = join(folder, `${name}-${key}.jsa`);
  if (existsSync(archive)) {
    const shared = [`-XX:SharedArchiveFile=${archive}`, '-Xlog:cds=off'];
    return {
      server: [...compiled, ...shared],
      command: [...SMALL, QUICK_TO_START, ...shared],
      keepArchive: () => undefined,
    };
  }
  mkdirSync(folder, { recursive: true });
  sweepDrafts(folder);
  const draft = `${archive}.${process.pid}`;
  return {
    server: [...compiled, `-XX:ArchiveClassesAtExit=${draft}`, '-Xlog:cds=off', '-Xlog:cds+dynamic=off'],
    command: [...SMALL, QUICK_TO_START],
    keepArchive: () => {
      if (existsSync(draft)) renameSync(draft, archive);
    },
  };
}

/** Removes the drafts of servers whose owner was killed. */
function sweepDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /\.jsa\.(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && startOf(Number(pid)) === undefined) rmSync(join(folder, name), { force: true });
  }
}
