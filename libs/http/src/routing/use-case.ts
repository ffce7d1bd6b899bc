import type { ValueProvider } from '@nestjs/common';

/** A use case without its dependencies, as a controller calls it. */
export type UseCase<Plain> = Plain extends (deps: never, ...given: infer Given) => infer Answer
  ? (...given: Given) => Answer
  : never;

/**
 * Provides use cases, plain functions of their dependencies, to Nest. The token of a use case is the function itself:
 *
 * ```ts
 * @Inject(readEntity) private readonly readEntity!: UseCase<typeof readEntity>;
 * ```
 *
 * **Errors**: the application does not start when a controller injects a use case that no module provides.
 */
export function provideUseCases<Deps>(
  deps: Deps,
  ...useCases: readonly ((deps: Deps, ...given: never[]) => unknown)[]
): ValueProvider[] {
  return useCases.map((useCase) => ({ provide: useCase, useValue: useCase.bind(undefined, deps) }));
}
