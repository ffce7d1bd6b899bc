import {
  CallRejectedError,
  NoAnswerError,
  type Address,
  type AnswerOf,
  type Given,
  type ParametersOf,
} from '@stratalog/client';
import {
  MutationCache,
  QueryCache,
  QueryClient,
  keepPreviousData,
  queryOptions,
  useQuery,
  type QueryFunction,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { call, signOut } from './catalog';

const MAX_RETRIES = 3;
const LONGEST_PAUSE_MS = 30_000;

/** Where a person goes when the catalog asks for a token; the router sets it. */
export const onSignInNeeded = { open: (): void => undefined };

function askForSignIn(error: unknown): void {
  if (!(error instanceof CallRejectedError) || error.status !== 401) return;
  signOut();
  onSignInNeeded.open();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askForSignIn }),
  mutationCache: new MutationCache({ onError: askForSignIn }),
  defaultOptions: {
    mutations: { networkMode: 'always' },
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // The catalog itself says whether it can be reached: it often runs on the machine of the browser.
      networkMode: 'always',
      retry: (failures, error) => failures < MAX_RETRIES && error instanceof NoAnswerError,
      retryDelay: (failures) => Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS),
    },
  },
});

/** A call as a query: its address and parameters are the key. An answer without a value is `null`. */
export function callOptions<To extends Address>(to: To, parameters: ParametersOf<To>) {
  return queryOptions({
    queryKey: [to, parameters],
    queryFn: async ({ signal }): Promise<NonNullable<AnswerOf<To>>> => {
      const given = [parameters, { signal }] as unknown as Given<To>;
      const { answer } = await call(to, ...given);
      return answer as NonNullable<AnswerOf<To>>;
    },
  });
}

interface CallHookOptions {
  /** False: not yet. */
  readonly isWanted?: boolean;
  /** The former answer stays until the next one is there. */
  readonly keepsFormer?: boolean;
  /** The answer changes with the catalog's program alone. */
  readonly isLasting?: boolean;
  /** The answer is read again after this time, as long as it is shown. **Units**: milliseconds; `false`: never. */
  readonly refreshMs?: number | false;
}

/** The answer of a call, read once and kept for all who ask. */
export function useCall<To extends Address>(
  to: To,
  parameters: ParametersOf<To>,
  { isWanted = true, keepsFormer = false, isLasting = false, refreshMs = false }: CallHookOptions = {},
): UseQueryResult<NonNullable<AnswerOf<To>>> {
  const { queryKey, queryFn } = callOptions(to, parameters);
  // The compiler cannot follow the types of an answer through those of a query.
  const options: UseQueryOptions = {
    queryKey,
    queryFn: queryFn as QueryFunction,
    enabled: isWanted,
    refetchInterval: refreshMs,
    ...(keepsFormer ? { placeholderData: keepPreviousData } : {}),
    ...(isLasting ? { staleTime: Infinity } : {}),
  };
  return useQuery(options) as UseQueryResult<NonNullable<AnswerOf<To>>>;
}
