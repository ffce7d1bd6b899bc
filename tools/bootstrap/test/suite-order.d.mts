/** What TypeScript needs to know of suite-order.mjs, where the promises are. */
export function orderSuites<Suite extends { readonly path: string }>(
  tests: readonly Suite[],
): { readonly together: readonly Suite[]; readonly alone: readonly Suite[] };
