export declare const TARGETS: readonly string[];
export declare function targetOfSuite(path: string): string;
export declare function parseTestArguments(args: readonly string[]): {
  readonly target: string;
  readonly rest: readonly string[];
};
export declare function suitesOfTarget(suites: readonly string[], target: string): readonly string[];
