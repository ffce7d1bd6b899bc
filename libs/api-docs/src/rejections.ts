import { needsToken, type AuthMode, type DocumentedRoute } from '@stratalog/http';

/** Reasons for rejections that all calls of a kind share; a route's own reasons replace these. */
const REASONS = {
  400: 'The call is malformed: a parameter is missing, wrong, or not for this call.',
  401: 'The call needs a token and has none, or one that is unknown, expired or revoked.',
  403: 'The token lacks a scope or is limited to other entities or calls, or a page of another site made a browser send the call.',
  406: 'The header `Accept` leaves no room for JSON.',
  413: 'The body is larger than the catalog takes.',
  429: 'Too much is under way at once; nothing was done, repeat the call.',
  500: 'A fault of the catalog; the message has a reference to its log.',
  503: 'The catalog cannot answer for the moment; repeat the call.',
} as const;

/** Returns every status besides 200 that a route answers, with the reason. All have the error body. */
export function toRejections(
  { method, access, dialect, docs }: DocumentedRoute,
  mode: AuthMode,
): ReadonlyMap<number, string> {
  const common = [
    400,
    ...(needsToken(mode, access) ? ([401] as const) : []),
    ...(method === 'GET' && !needsToken(mode, access) ? [] : ([403] as const)),
    ...(access === 'public' || dialect !== undefined ? [] : ([406] as const)),
    ...(docs.body === undefined ? [] : ([413, 429] as const)),
    500,
    503,
  ] as const;
  const own = Object.entries(docs.rejections ?? {}).map(([status, why]) => [Number(status), why] as const);
  const all = new Map<number, string>([
    ...common.map((status) => [status, REASONS[status]] as const),
    ...own,
  ]);
  for (const status of Object.keys(docs.answersAlso ?? {})) all.delete(Number(status));
  return new Map([...all].sort(([one], [other]) => one - other));
}
