/** What TypeScript needs to know of suite-order.mjs, where the promises are. */
export function orderSuites<Suite extends { readonly path: string }>(
  tests: readonly Suite[],
): { readonly beside: readonly Suite[]; readonly alone: readonly Suite[] };
