import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startOf } from '../../bootstrap/only-one.mjs';
import type { Java } from './java';

/** Small and quick to start rather than fast: C1 only, one collector thread. */
const SMALL = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xms64m'];

export interface JvmArguments {
  /** Of the server. */
  readonly server: readonly string[];
  /** Of a command beside it, on the same class path. */
  readonly command: readonly string[];
  /** To be called when the server has ended in order. */
  readonly keepArchive: () => void;
}

/**
 * The flags of a Java program. Its loaded classes are written down at the first end in order, which takes that end some
 * seconds, and halve every later start. The archive is bound to class path and Java build; its name holds their hash, and it
 * appears whole, by a rename.
 */
export function jvmArguments(name: string, classPath: string, java: Java, cacheDir: string): JvmArguments {
  const key = createHash('sha256').update(`${classPath}\n${java.build}`).digest('hex').slice(0, 12);
  const folder = join(cacheDir, 'classes');
  const archive = join(folder, `${name}-${key}.jsa`);
  if (existsSync(archive)) {
    const flags = [...SMALL, `-XX:SharedArchiveFile=${archive}`, '-Xlog:cds=off'];
    return { server: flags, command: flags, keepArchive: () => undefined };
  }
  mkdirSync(folder, { recursive: true });
  sweepDrafts(folder);
  const draft = `${archive}.${process.pid}`;
  return {
    server: [...SMALL, `-XX:ArchiveClassesAtExit=${draft}`, '-Xlog:cds=off', '-Xlog:cds+dynamic=off'],
    command: SMALL,
    keepArchive: () => {
      if (existsSync(draft)) renameSync(draft, archive);
    },
  };
}

/** What servers have written whose owner was killed meanwhile. */
function sweepDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /\.jsa\.(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && startOf(Number(pid)) === undefined) rmSync(join(folder, name), { force: true });
  }
}
