import type { JsonObject, JsonOutputObject } from '@stratalog/json';

export const OPERATOR = 'the-token-of-the-operator';

export interface Answered {
  readonly status: number;
  readonly json: JsonObject;
}

/** A token as an answer shows it; `token` only when it has a new secret. */
export interface MadeToken {
  readonly id: string;
  readonly token: string;
}

/** A client of a catalog where every call needs a token. */
export class GuardedClient {
  constructor(readonly url: string) {}

  async send(target: string, token: string | undefined, init: RequestInit = {}): Promise<Answered> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { ...authorization, ...(init.headers as Record<string, string> | undefined) };
    const answer = await fetch(new URL(target, this.url), { ...init, headers });
    const text = await answer.text();
    return { status: answer.status, json: (text === '' ? {} : JSON.parse(text)) as JsonObject };
  }

  post(target: string, token: string | undefined, body: JsonOutputObject, headers = {}): Promise<Answered> {
    return this.send(target, token, { method: 'POST', body: JSON.stringify(body), headers });
  }

  /** Calls an action on a token as the operator. **Errors**: rejects when the catalog rejects. */
  async administer(action: string, body: JsonOutputObject): Promise<MadeToken> {
    const { status, json } = await this.post(`/operations?action=${action}`, OPERATOR, body);
    if (status !== 200) throw new Error(`${action}: ${String(status)} ${JSON.stringify(json)}`);
    return json.value as unknown as MadeToken;
  }

  makeToken(members: JsonOutputObject): Promise<MadeToken> {
    return this.administer('createToken', { name: 'a token', ...members });
  }
}
