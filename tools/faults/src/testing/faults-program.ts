import { afterEach, beforeAll } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Program, buildBundles, processesIn } from '@stratalog/harness';

/** A start, rounds and checks of everything, on a busy machine. */
export const LIMIT_MS = limitMs(300_000);

/** The bundles for an embedded catalog; without names all are built, for the distributed profile. */
export const EMBEDDED = ['tools/faults/main', 'apps/standalone/main'];

/**
 * Builds the named bundles before the tests of the calling suite or block, and ends the programs of its
 * tests.
 *
 * Returns the function with which a test starts `npm run faults`: one program at a time.
 */
export function faultsForSuite(
  bundles: readonly string[] = [],
): (...args: readonly string[]) => FaultsProgram {
  let program: FaultsProgram | undefined;
  beforeAll(() => {
    buildBundles(...bundles);
  }, LIMIT_MS);
  afterEach(async () => {
    await program?.stop();
  }, LIMIT_MS);
  return (...args) => (program = new FaultsProgram(args));
}

/** `npm run faults`, as a process of its own. */
export class FaultsProgram extends Program {
  constructor(args: readonly string[]) {
    super('dist/tools/faults/main.js', { args });
  }

  /** Of its standard output. */
  get lines(): readonly string[] {
    return this.stdout.split('\n').filter(Boolean);
  }

  /** Its progress messages. */
  get said(): readonly string[] {
    return this.stderr.split('\n').filter(Boolean);
  }

  get exitCode(): Promise<number | null> {
    return this.ended.then(({ code }) => code);
  }

  /**
   * Returns its last line of output, once it has ended well.
   *
   * **Errors**: rejects with its messages when it ended otherwise, and with the processes and files that it
   * left.
   */
  async summary(): Promise<unknown> {
    const exitCode = await this.exitCode;
    if (exitCode !== 0) throw new Error([`it ended with ${String(exitCode)}`, ...this.said].join('\n'));
    const { left } = this;
    if (left.length > 0) throw new Error(`it left ${left.join(', ')}`);
    return JSON.parse(this.lines.at(-1) ?? '{}');
  }

  /** The folder and processes that still exist. */
  get left(): readonly (string | number)[] {
    const folder = / in (\S+)$/.exec(this.said[0] ?? '')?.[1] ?? 'a folder that was not named';
    const named = existsSync(folder) || !folder.startsWith('/') ? [folder] : [];
    return [...named, ...processesIn(folder, join(folder, 'data'))];
  }
}
