export interface Check {
  readonly name: string;
  readonly steps: readonly (readonly string[])[];
}

export function checksOf(env: NodeJS.ProcessEnv): readonly Check[];
