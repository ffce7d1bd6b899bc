/** A catalog that is called over HTTP. */
export interface Called {
  readonly url: string;
}

/** Calls an action over HTTP and returns the value of its answer. A body that is a text is sent as it is. */
export async function callAction({ url }: Called, target: string, body: object | string): Promise<unknown> {
  const answer = await fetch(url + target, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${target}: ${text}`);
  return (JSON.parse(text) as { readonly value: unknown }).value;
}
