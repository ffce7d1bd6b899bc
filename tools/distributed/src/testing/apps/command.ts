import { Program } from '@stratalog/harness';

export const START_MS = limitMs(180_000);

/** A command that starts a catalog, as a user gives it: `start` or `start-distributed`. */
export class Command extends Program {
  constructor(name: string, environment: NodeJS.ProcessEnv, args: readonly string[] = []) {
    super(`tools/bootstrap/${name}.mjs`, { environment, args });
  }

  ready(): Promise<string> {
    return this.printed(/^stratalog ready (\S+)$/m, START_MS);
  }

  /** How often instances of an app said that they are ready. */
  count(app: string): number {
    return [...this.stderr.matchAll(new RegExp(`^stratalog: ${app}(?:-\\d+)? ready `, 'gm'))].length;
  }
}
