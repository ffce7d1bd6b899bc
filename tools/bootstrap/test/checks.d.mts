export interface Check {
  readonly name: string;
  readonly steps: readonly (readonly string[])[];
}

export function listChecks(env: NodeJS.ProcessEnv): readonly Check[];
