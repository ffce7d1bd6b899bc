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
const IN_SESSION = { 'X-Stratalog-Session': '1' };

const fetchInSession: Fetch = (address, options) =>
  fetch(address, { ...options, headers: { ...options.headers, ...IN_SESSION } });

/** The answer of a call as it comes. **Errors**: those of `ApiClient`. */
export function callText<To extends Address>(to: To, ...given: Given<To>): Promise<string> {
  return client.text(to, ...given);
}

/** Opens a stream of events, with the rights of the calls. */
export function openStream(path: string, signal: AbortSignal): Promise<Response> {
  const secret = token.get();
  const headers = { ...IN_SESSION, ...(secret === undefined ? {} : { Authorization: `Bearer ${secret}` }) };
  return fetch(`${API}${path}`, { headers, signal });
}

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

/** The position of the last write of this page: what it reads from an index from then on includes the write. */
let written: string | undefined;

const WRITES = 'POST /aspects?action=ingestProposal';
const READS_INDEX = /^(?:POST \/entities\?action=|(?:GET|POST) \/(?:relationships|lineage)\b)/;

/** Calls the catalog, and notes what its answer says about the index and the connection. **Errors**: those of `ApiClient`. */
export async function call<To extends Address>(to: To, ...given: Given<To>): Promise<Reply<AnswerTo<To>>> {
  const position = READS_INDEX.test(to) ? written : undefined;
  try {
    const reply = await client.call(to, ...(position === undefined ? given : waitingFor(position, given)));
    offlineSince.set(undefined);
    noteLag(reply.headers.get('x-stratalog-lag'));
    if (to === WRITES) written = reply.headers.get('x-stratalog-position') ?? written;
    return reply;
  } catch (error) {
    noteFailure(error);
    if (!isAboutPosition(error, position)) throw error;
    // The store was restored to an older state, or the index is far behind: nobody waits for ever.
    written = undefined;
    if (error.status !== 400) throw error;
    return call(to, ...given);
  }
}

function waitingFor<To extends Address>(position: string, given: Given<To>): Given<To> {
  const [parameters, options] = given as readonly [unknown, { readonly headers?: object }?];
  const headers = { ...options?.headers, 'X-Stratalog-Wait-For': position };
  return [parameters, { ...options, headers }] as unknown as Given<To>;
}

function isAboutPosition(error: unknown, position: string | undefined): error is CallRejectedError {
  if (position === undefined || !(error instanceof CallRejectedError)) return false;
  return error.status === 503 || (error.status === 400 && error.message.includes('X-Stratalog-Wait-For'));
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
