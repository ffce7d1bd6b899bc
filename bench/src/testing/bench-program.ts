import { Program } from '@stratalog/harness';
import type { Measurement } from '../report/measurement';

/** `npm run bench` as a process of its own, with a folder for temporary files that shows its leftovers. */
export class BenchProgram extends Program {
  constructor(temporary: string, args: readonly string[], settings: NodeJS.ProcessEnv = {}) {
    const environment = { ...process.env, TMPDIR: temporary, NODE_OPTIONS: '', ...settings };
    super('tools/bootstrap/bench.mjs', { args, environment });
  }

  async exitCode(): Promise<number | null> {
    return (await this.ended).code;
  }

  get measurements(): readonly Measurement[] {
    return this.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Measurement);
  }
}
