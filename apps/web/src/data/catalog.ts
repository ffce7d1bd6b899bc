import {
  ApiClient,
  CallRejectedError,
  NoAnswerError,
  type Address,
  type Fetch,
  type Given,
  type Reply,
} from '@stratalog/client';
import { API } from './place';
import { Store } from './store';

const TOKEN = 'stratalog.token';

/** The token of this tab; `undefined` where none is needed or given. Kept in memory, and in the session of the tab when a person asks for it. */
export const token = new Store<string | undefined>(sessionStorage.getItem(TOKEN) ?? undefined);

export function signIn(secret: string, { staysInTab }: { readonly staysInTab: boolean }): void {
  if (staysInTab) sessionStorage.setItem(TOKEN, secret);
  else sessionStorage.removeItem(TOKEN);
  token.set(secret);
}

/** Forgets the token. */
export function signOut(): void {
  sessionStorage.removeItem(TOKEN);
  token.set(undefined);
}

/** The cookie of a session counts in calls with this header only. */
const fetchInSession: Fetch = (address, options) =>
  fetch(address, { ...options, headers: { ...options.headers, 'X-Stratalog-Session': '1' } });

/** How far the index was behind at the last answer that said so. **Units**: changes; epoch milliseconds since when it is behind at all. */
export interface Lag {
  readonly changes: number;
  readonly sinceMs: number | undefined;
}

export const lag = new Store<Lag | undefined>(undefined);
/** Since when no call has got an answer. **Units**: epoch milliseconds. */
export const offlineSince = new Store<number | undefined>(undefined);

let client = openClient();
token.subscribe(() => {
  client = openClient();
});

function openClient(): ApiClient {
  const secret = token.get();
  return new ApiClient({
    server: API,
    fetch: fetchInSession,
    ...(secret === undefined ? {} : { token: secret }),
  });
}

/** Calls the catalog, and notes what its answer says about the index and the connection. **Errors**: those of `ApiClient`. */
export async function call<To extends Address>(to: To, ...given: Given<To>): Promise<Reply<AnswerTo<To>>> {
  try {
    const reply = await client.call(to, ...given);
    offlineSince.set(undefined);
    noteLag(reply.headers.get('x-stratalog-lag'));
    return reply;
  } catch (error) {
    noteFailure(error);
    throw error;
  }
}

type AnswerTo<To extends Address> = Awaited<ReturnType<typeof ApiClient.prototype.call<To>>>['answer'];

function noteLag(header: string | null): void {
  if (header === null) return;
  const changes = Number(header);
  if (!Number.isFinite(changes)) return;
  const before = lag.get();
  if (before?.changes === changes) return;
  lag.set({ changes, sinceMs: changes === 0 ? undefined : (before?.sinceMs ?? Date.now()) });
}

function noteFailure(error: unknown): void {
  if (error instanceof NoAnswerError) offlineSince.set(offlineSince.get() ?? Date.now());
  else if (error instanceof CallRejectedError) offlineSince.set(undefined);
}
